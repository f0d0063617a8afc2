// What a job waits for besides its delay: a network, the charger, a battery that is not low, a
// phone that nobody uses, a change of content. The phone is in use, so the last but one never
// comes.
package dev.retap.agent.device.system.jobs;

import android.app.job.JobInfo;
import android.content.Context;
import android.os.BatteryManager;
import android.os.Build;
import dev.retap.agent.device.system.service.Connectivity;
import dev.retap.agent.device.system.service.WatchedContent;
import java.util.ArrayList;
import java.util.List;

final class JobConditions {
  private static final int LOW_BATTERY_PERCENT = 15;

  /** How long content must stay as it is until a job hears of a change, unless the job says so. */
  private static final long CONTENT_DELAY_MILLIS = 10_000;

  private final Connectivity network;
  private final BatteryManager battery;

  JobConditions(Context context, Connectivity network) {
    this.network = network;
    battery = (BatteryManager) context.getSystemService(Context.BATTERY_SERVICE);
  }

  /** Returns true if the phone is as the job wants it. */
  boolean hold(JobInfo job) {
    return network.allows(job.getNetworkType())
        && (!job.isRequireCharging() || battery.isCharging())
        && !job.isRequireDeviceIdle()
        && (Build.VERSION.SDK_INT < Build.VERSION_CODES.O
            || !job.isRequireBatteryNotLow()
            || battery.getIntProperty(BatteryManager.BATTERY_PROPERTY_CAPACITY)
                > LOW_BATTERY_PERCENT);
  }

  /** Returns the addresses whose changes start the job. */
  static List<WatchedContent> contentOf(JobInfo job) {
    List<WatchedContent> watched = new ArrayList<>();
    if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.N && job.getTriggerContentUris() != null) {
      for (JobInfo.TriggerContentUri trigger : job.getTriggerContentUris()) {
        int below = trigger.getFlags() & JobInfo.TriggerContentUri.FLAG_NOTIFY_FOR_DESCENDANTS;
        watched.add(new WatchedContent(trigger.getUri(), below != 0));
      }
    }
    return watched;
  }

  static long contentDelayMillis(JobInfo job) {
    long own = job.getTriggerContentUpdateDelay();
    return own < 0 ? CONTENT_DELAY_MILLIS : own;
  }

  /** Returns how long after its scheduling, or after its last run, the job can begin. */
  static long delayMillis(JobInfo job, boolean isFirst) {
    if (!job.isPeriodic()) {
      return Math.max(0, job.getMinLatencyMillis());
    }
    if (!isFirst) {
      return job.getIntervalMillis();
    }
    return Build.VERSION.SDK_INT < Build.VERSION_CODES.N
        ? 0
        : Math.max(0, job.getIntervalMillis() - job.getFlexMillis());
  }

  /** Returns the time after which the job begins whatever the phone is like, 0 if there is none. */
  static long deadlineMillis(JobInfo job) {
    return job.isPeriodic() ? 0 : job.getMaxExecutionDelayMillis();
  }
}
