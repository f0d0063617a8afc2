// The job scheduler's service. It runs the app's jobs once their delay has passed and, if they
// need a network, once there is one. A job is a bound service that is told to start.
package dev.retap.agent.device.system.service;

import android.app.IServiceConnection;
import android.app.job.JobInfo;
import android.app.job.JobParameters;
import android.content.Intent;
import android.os.Handler;
import android.os.IBinder;
import android.os.Looper;
import dev.retap.agent.device.binder.BinderCall;
import dev.retap.agent.device.binder.BinderStub;
import dev.retap.agent.device.reflect.FrameworkCalls;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

public final class Jobs {
  private static final int SUCCESS = 1;
  private static final long BACKOFF_MILLIS = 30_000;

  private final class Job {
    final JobInfo info;
    final Deque<Object> work = new ArrayDeque<>();
    final Runnable due = this::start;
    IServiceConnection connection;
    Object parameters;

    Job(JobInfo info) {
      this.info = info;
    }

    void start() {
      synchronized (Jobs.this) {
        if (connection != null || !network.allows(info.getNetworkType())) {
          return;
        }
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
        if (again) {
          clock.postDelayed(due, BACKOFF_MILLIS);
        } else if (info.isPeriodic()) {
          clock.postDelayed(due, info.getIntervalMillis());
        } else if (!work.isEmpty()) {
          clock.post(due);
        } else {
          jobs.remove(info.getId(), this);
        }
      }
      return null;
    }
  }

  private final Services services;
  private final Connectivity network;
  private final Handler clock = new Handler(Looper.getMainLooper());
  private final Map<Integer, Job> jobs = new LinkedHashMap<>();

  public Jobs(Services services, Connectivity network) {
    this.services = services;
    this.network = network;
    network.onChange(this::networkChanged);
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
    cancel(job.info.getId());
    jobs.put(job.info.getId(), job);
    long delay = job.info.isPeriodic() ? 0 : job.info.getMinLatencyMillis();
    clock.postDelayed(job.due, Math.max(0, delay));
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
      clock.removeCallbacks(job.due);
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

  private synchronized void networkChanged() {
    jobs.values().forEach(job -> clock.post(job.due));
  }
}
