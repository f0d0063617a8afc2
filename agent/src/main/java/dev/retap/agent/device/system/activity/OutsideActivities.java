// The activities of other apps, as far as the activity-task server needs to know them.
package dev.retap.agent.device.system.activity;

import android.content.Intent;

public interface OutsideActivities {
  /** Returns the visit in front of the app, or null if there is none. */
  OutsideVisit current();

  /** Goes to the app that takes the intent; returns false if no app does. */
  boolean visit(Intent intent, ActivityRecord resultTo, String resultWho, int requestCode);

  /** Ends the current visit and returns it, or null if there was none. */
  OutsideVisit leave();
}
