// The server's side of one activity: its declaration, who waits for its result, its saved state.
package dev.retap.agent.device.system.activity;

import android.content.ComponentName;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.content.res.Configuration;
import android.os.Bundle;
import android.os.IBinder;
import android.os.Parcel;
import dev.retap.agent.device.binder.RemoteBinder;
import java.util.ArrayList;
import java.util.List;

public final class ActivityRecord {
  enum Stage {
    NONE,
    RESUMED,
    PAUSED,
    STOPPED
  }

  public final IBinder token = new RemoteBinder();
  public final ActivityInfo info;
  final String resultWho;
  final int requestCode;
  final List<Object> pendingResults = new ArrayList<>();
  Intent intent;
  Task task;

  /** The activity that waits for the result, until another one is to answer in its place. */
  ActivityRecord resultTo;

  Bundle savedState;
  int requestedOrientation;

  /** The configuration that the activity last heard of. */
  Configuration configuration;

  /** Intents that arrived while the activity was stopped, or the app had no process. */
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

  /** Returns true if this is an instance of the declared activity. */
  boolean is(ActivityInfo other) {
    return info.name.equals(other.name) && info.packageName.equals(other.packageName);
  }

  /** Returns true if the activity finishes when the user moves on to another. */
  boolean leavesNoHistory() {
    return (intent.getFlags() & Intent.FLAG_ACTIVITY_NO_HISTORY) != 0
        || (info.flags & ActivityInfo.FLAG_NO_HISTORY) != 0;
  }

  ComponentName component() {
    return new ComponentName(info.packageName, info.name);
  }

  /** Returns true if the activity is on the screen, in front or not. */
  boolean isShown() {
    return stage == Stage.RESUMED || stage == Stage.PAUSED;
  }

  List<Object> takePendingResults() {
    List<Object> taken = new ArrayList<>(pendingResults);
    pendingResults.clear();
    return taken;
  }

  List<Object> takePendingIntents() {
    List<Object> taken = new ArrayList<>(pendingIntents);
    pendingIntents.clear();
    return taken;
  }

  /** Replaces objects that the process left here by their written form, which holds no classes. */
  public void detachState() {
    savedState = detached(savedState);
    Bundle extras = detached(intent.getExtras());
    if (extras != null) {
      intent.replaceExtras(extras);
    }
  }

  /** Writes a bundle to a parcel; it is read again only when its content is asked for. */
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
