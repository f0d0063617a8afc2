// What passes from one process to another: a copy, because two processes share no object.
package dev.retap.agent.device.process;

import android.content.Intent;
import android.os.Parcel;

public final class Passing {
  private Passing() {}

  /** Returns the intent as it is read in another process: its extras when they are asked for. */
  public static Intent copy(Intent intent) {
    Parcel parcel = Parcel.obtain();
    try {
      intent.writeToParcel(parcel, 0);
      parcel.setDataPosition(0);
      return Intent.CREATOR.createFromParcel(parcel);
    } finally {
      parcel.recycle();
    }
  }
}
