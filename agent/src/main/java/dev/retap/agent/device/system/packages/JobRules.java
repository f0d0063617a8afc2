// What the job scheduler refuses: jobs of services that cannot run them, jobs that outlive the
// phone without permission, and too many.
package dev.retap.agent.device.system.packages;

import android.app.job.JobInfo;
import android.app.job.JobService;
import android.content.Intent;
import android.content.pm.ServiceInfo;
import dev.retap.agent.device.binder.BinderStub;
import java.util.function.Predicate;

public final class JobRules {
  private static final String BOOT = "android.permission.RECEIVE_BOOT_COMPLETED";
  private static final int FIRST_WITH_MORE = 31;
  private static final int LIMIT = 150;
  private static final int FORMER_LIMIT = 100;

  private final DeclaredComponents components;
  private final Predicate<String> granted;
  private final int apiLevel;

  public JobRules(DeclaredComponents components, Predicate<String> isGranted, int apiLevel) {
    this.components = components;
    this.granted = isGranted;
    this.apiLevel = apiLevel;
  }

  /**
   * Throws if the job cannot be scheduled.
   *
   * @param scheduled how many jobs the app has scheduled
   */
  public void check(JobInfo job, int scheduled) {
    ServiceInfo service = components.service(new Intent().setComponent(job.getService()));
    if (service == null) {
      throw refuse("No such service " + job.getService());
    }
    if (!JobService.PERMISSION_BIND.equals(service.permission)) {
      throw refuse(
          "Scheduled service %s does not require %s permission"
              .formatted(job.getService(), JobService.PERMISSION_BIND));
    }
    if (job.isPersisted() && !granted.test(BOOT)) {
      throw refuse(
          "Error: requested job be persisted without holding RECEIVE_BOOT_COMPLETED permission.");
    }
    int limit = apiLevel < FIRST_WITH_MORE ? FORMER_LIMIT : LIMIT;
    if (scheduled > limit) {
      throw BinderStub.trimmed(
          new IllegalStateException("Apps may not schedule more than " + limit + " distinct jobs"));
    }
  }

  private static IllegalArgumentException refuse(String message) {
    return BinderStub.trimmed(new IllegalArgumentException(message));
  }
}
