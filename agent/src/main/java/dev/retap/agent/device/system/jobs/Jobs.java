// The job scheduler's service. It runs the app's jobs once their delay has passed and what they
// wait for has come, or their deadline. A job is a bound service that is told to start.
package dev.retap.agent.device.system.jobs;

import android.app.IServiceConnection;
import android.app.job.JobInfo;
import android.app.job.JobParameters;
import android.content.Context;
import android.content.Intent;
import android.net.Uri;
import android.os.Handler;
import android.os.IBinder;
import android.os.Looper;
import dev.retap.agent.device.binder.BinderCall;
import dev.retap.agent.device.binder.BinderStub;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.device.reflect.FrameworkFields;
import dev.retap.agent.device.system.packages.JobRules;
import dev.retap.agent.device.system.service.Connectivity;
import dev.retap.agent.device.system.service.ContentObservers;
import dev.retap.agent.device.system.service.WatchedContent;
import dev.retap.agent.device.system.services.Services;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

public final class Jobs {
  private static final int SUCCESS = 1;
  private static final long BACKOFF_MILLIS = 30_000;

  private final class Job {
    final JobInfo info;
    final Deque<Object> work = new ArrayDeque<>();
    final List<WatchedContent> content;
    final Set<Uri> changed = new LinkedHashSet<>();
    final Runnable due = this::delayPassed;
    final Runnable deadline = this::deadlinePassed;
    final Runnable contentSettled = this::contentSettled;
    boolean isDue;
    boolean isOverdue;
    boolean isContentSettled;
    IServiceConnection connection;
    Object parameters;

    Job(JobInfo info) {
      this.info = info;
      content = JobConditions.contentOf(info);
    }

    /** Lets the job begin after the delay, if then all is as it wants it. */
    void beginAfter(long millis) {
      isDue = false;
      clock.postDelayed(due, millis);
    }

    private void delayPassed() {
      isDue = true;
      startIfReady();
    }

    private void deadlinePassed() {
      isOverdue = true;
      startIfReady();
    }

    private void contentSettled() {
      isContentSettled = true;
      startIfReady();
    }

    void contentChanged(Uri uri) {
      if (content.stream().anyMatch(watched -> watched.sees(uri))) {
        changed.add(uri);
        clock.removeCallbacks(contentSettled);
        clock.postDelayed(contentSettled, JobConditions.contentDelayMillis(info));
      }
    }

    /** Forgets what the job would have heard of. */
    void stopWaiting() {
      clock.removeCallbacks(due);
      clock.removeCallbacks(deadline);
      clock.removeCallbacks(contentSettled);
    }

    private boolean isReady() {
      return isOverdue || isDue && (content.isEmpty() || isContentSettled) && conditions.hold(info);
    }

    void startIfReady() {
      synchronized (Jobs.this) {
        if (connection != null || jobs.get(info.getId()) != this || !isReady()) {
          return;
        }
        stopWaiting();
        BinderStub stub = new BinderStub().on("connected", this::connected);
        connection = (IServiceConnection) stub.as(IServiceConnection.class);
        Intent service = new Intent().setComponent(info.getService());
        if (!services.bind(service, connection)) {
          jobs.remove(info.getId());
        }
      }
    }

    Object connected(BinderCall call) {
      BinderStub callback =
          new BinderStub()
              .on("acknowledgeStartMessage", c -> c.flag(0) ? null : finish(false))
              .on("jobFinished", c -> finish(c.flag(0)))
              .on("dequeueWork", c -> nextWork())
              .on("completeWork", c -> true);
      Object remote = callback.as(FrameworkCalls.type("android.app.job.IJobCallback"));
      parameters =
          FrameworkCalls.construct(
              JobParameters.class,
              FrameworkCalls.call(remote, "asBinder"),
              info.getId(),
              info.getExtras(),
              new android.os.Bundle());
      if (!changed.isEmpty()) {
        FrameworkFields.set(parameters, "mTriggeredContentUris", changed.toArray(new Uri[0]));
        String[] authorities =
            changed.stream().map(Uri::getAuthority).distinct().toArray(String[]::new);
        FrameworkFields.set(parameters, "mTriggeredContentAuthorities", authorities);
      }
      FrameworkFields.set(parameters, "overrideDeadlineExpired", isOverdue);
      Object service =
          FrameworkCalls.callStatic(
              "android.app.job.IJobService$Stub", "asInterface", call.first(IBinder.class));
      FrameworkCalls.call(service, "startJob", parameters);
      return null;
    }

    /** Returns the next work item of JobScheduler.enqueue; a job with an empty queue is done. */
    Object nextWork() {
      synchronized (Jobs.this) {
        Object next = work.poll();
        if (next == null) {
          finish(false);
        }
        return next;
      }
    }

    Object finish(boolean again) {
      synchronized (Jobs.this) {
        if (connection == null) {
          return null;
        }
        services.unbind(connection);
        connection = null;
        isOverdue = false;
        if (again) {
          beginAfter(BACKOFF_MILLIS);
        } else if (info.isPeriodic()) {
          beginAfter(JobConditions.delayMillis(info, false));
        } else if (!work.isEmpty()) {
          beginAfter(0);
        } else {
          jobs.remove(info.getId(), this);
        }
      }
      return null;
    }
  }

  private final Services services;
  private final JobRules rules;
  private final JobConditions conditions;
  private final Handler clock = new Handler(Looper.getMainLooper());
  private final Map<Integer, Job> jobs = new LinkedHashMap<>();

  public Jobs(
      Context context,
      Services services,
      JobRules rules,
      Connectivity network,
      ContentObservers observers) {
    this.services = services;
    this.rules = rules;
    conditions = new JobConditions(context, network);
    network.onChange(this::phoneChanged);
    observers.onChange(this::contentChanged);
  }

  public void install() {
    new BinderStub()
        .on("schedule", call -> schedule(new Job(call.first(JobInfo.class))))
        .on("enqueue", this::enqueue)
        .on("cancel", call -> cancel(call.number(0)))
        .on("cancelAll", call -> cancelAll())
        .on("cancelAllInNamespace", call -> cancelAll())
        .on("getPendingJob", call -> pending(call.number(0)))
        .on("getAllPendingJobsInNamespace", call -> BinderStub.slice(pending()))
        .on("getAllPendingJobs", this::allPending)
        .publish("jobscheduler", "android.app.job.IJobScheduler");
  }

  private synchronized int schedule(Job job) {
    rules.check(job.info, jobs.size());
    cancel(job.info.getId());
    jobs.put(job.info.getId(), job);
    job.beginAfter(JobConditions.delayMillis(job.info, true));
    long deadline = JobConditions.deadlineMillis(job.info);
    if (deadline > 0) {
      clock.postDelayed(job.deadline, deadline);
    }
    return SUCCESS;
  }

  private synchronized Object enqueue(BinderCall call) {
    JobInfo info = call.first(JobInfo.class);
    Object item = call.arguments()[call.arguments().length - 1];
    Job job = jobs.get(info.getId());
    if (job == null) {
      job = new Job(info);
      schedule(job);
    }
    job.work.add(item);
    return SUCCESS;
  }

  private synchronized Object cancel(int id) {
    Job job = jobs.remove(id);
    if (job != null) {
      job.stopWaiting();
      if (job.connection != null) {
        services.unbind(job.connection);
        job.connection = null;
      }
    }
    return null;
  }

  private synchronized Object cancelAll() {
    new ArrayList<>(jobs.keySet()).forEach(this::cancel);
    return null;
  }

  private synchronized JobInfo pending(int id) {
    return jobs.containsKey(id) ? jobs.get(id).info : null;
  }

  private synchronized List<JobInfo> pending() {
    List<JobInfo> pending = new ArrayList<>();
    jobs.values().forEach(job -> pending.add(job.info));
    return pending;
  }

  /** Answers with a list, a slice or a map of slices, as the API level expects. */
  private Object allPending(BinderCall call) {
    Class<?> type = call.method().getReturnType();
    return type == List.class
        ? pending()
        : type == Map.class ? Map.of() : BinderStub.slice(pending());
  }

  /** Looks which jobs can begin, now that the network or the battery has changed. */
  public synchronized void phoneChanged() {
    jobs.values().forEach(job -> clock.post(job::startIfReady));
  }

  private synchronized void contentChanged(Uri uri) {
    jobs.values().forEach(job -> job.contentChanged(uri));
  }
}
