// The server's side of one activity: who it is, who waits for its result, what state it left.
package dev.retap.agent.device;

import android.content.ComponentName;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.content.res.Configuration;
import android.os.Binder;
import android.os.Bundle;
import android.os.IBinder;
import android.os.Parcel;
import java.util.ArrayList;
import java.util.List;

final class ActivityRecord {
  enum Stage {
    NONE,
    RESUMED,
    PAUSED,
    STOPPED
  }

  final IBinder token = new Binder();
  final ActivityInfo info;
  final ActivityRecord resultTo;
  final String resultWho;
  final int requestCode;
  final List<Object> pendingResults = new ArrayList<>();
  Intent intent;
  Task task;
  Bundle savedState;
  int requestedOrientation;

  /** The configuration the activity was last told of. */
  Configuration told;

  /** Intents that came while there was no process. */
  final List<Object> pendingIntents = new ArrayList<>();

  Stage stage = Stage.NONE;
  boolean finishing;

  ActivityRecord(
      Intent intent, ActivityInfo info, ActivityRecord resultTo, String resultWho, int code) {
    this.intent = intent;
    this.info = info;
    this.resultTo = resultTo;
    this.resultWho = resultWho;
    this.requestCode = code;
    this.requestedOrientation = info.screenOrientation;
  }

  boolean is(ActivityInfo other) {
    return info.name.equals(other.name) && info.packageName.equals(other.packageName);
  }

  /** Gone for good once the user moves on to another activity. */
  boolean leavesNoHistory() {
    return (intent.getFlags() & Intent.FLAG_ACTIVITY_NO_HISTORY) != 0
        || (info.flags & ActivityInfo.FLAG_NO_HISTORY) != 0;
  }

  ComponentName component() {
    return new ComponentName(info.packageName, info.name);
  }

  /** Makes what the process left here name its classes instead of holding them. */
  void detachState() {
    savedState = detached(savedState);
    Bundle extras = detached(intent.getExtras());
    if (extras != null) {
      intent.replaceExtras(extras);
    }
  }

  /** A bundle that has been written is only read again when somebody asks for its content. */
  private static Bundle detached(Bundle bundle) {
    Parcel parcel = Parcel.obtain();
    try {
      parcel.writeBundle(bundle);
      parcel.setDataPosition(0);
      return parcel.readBundle();
    } finally {
      parcel.recycle();
    }
  }
}
