// An intent that another app took, and the activity that waits for its result.
package dev.retap.agent.device.system.activity;

import android.content.Intent;

/**
 * @param app the other app's package
 * @param isOverlay true for a dialog over the app instead of a screen of its own
 */
public record OutsideVisit(
    String app,
    Intent intent,
    ActivityRecord resultTo,
    String resultWho,
    int requestCode,
    boolean isOverlay) {

  /** Returns true if an activity of the app waits for a result. */
  public boolean wantsResult() {
    return resultTo != null && requestCode >= 0;
  }
}
