// The counters of network traffic. An app sees its own, which are empty, and is refused those of
// the phone and of other apps: only the settings grant access to them.
package dev.retap.agent.device.system.hardware;

import android.os.Process;
import dev.retap.agent.device.binder.BinderCall;
import dev.retap.agent.device.binder.BinderStub;
import dev.retap.agent.device.reflect.FrameworkCalls;

public final class NetworkCounters {
  private static final String SESSION = "android.net.INetworkStatsSession";
  private static final long HOUR_MILLIS = 3_600_000;

  private NetworkCounters() {}

  public static void install() {
    BinderStub session =
        new BinderStub()
            .on("getDeviceSummaryForNetwork", call -> refuse(-1))
            .on("getSummaryForNetwork", call -> refuse(-1))
            .on("getHistoryForNetwork", call -> refuse(-1))
            .on("getHistoryIntervalForNetwork", call -> refuse(-1))
            .on("getSummaryForAllUid", NetworkCounters::empty)
            .on("getTaggedSummaryForAllUid", NetworkCounters::empty)
            .on("getHistoryForUid", NetworkCounters::history)
            .on("getHistoryIntervalForUid", NetworkCounters::history)
            .on("getRelevantUids", call -> new int[] {Process.myUid()});
    new BinderStub()
        .on("openSession", call -> session.as(FrameworkCalls.type(SESSION)))
        .on("openSessionForUsageStats", call -> session.as(FrameworkCalls.type(SESSION)))
        .publish("netstats", "android.net.INetworkStatsService");
  }

  private static Object empty(BinderCall call) {
    return FrameworkCalls.construct(call.method().getReturnType(), 0L, 0);
  }

  private static Object history(BinderCall call) {
    int uid = call.number(0);
    return uid == Process.myUid()
        ? FrameworkCalls.construct(
            FrameworkCalls.type("android.net.NetworkStatsHistory"), HOUR_MILLIS, 0, 0)
        : refuse(uid);
  }

  private static Object refuse(int uid) {
    throw BinderStub.refuse(
        "Network stats history of uid " + uid + " is forbidden for caller " + Process.myUid());
  }
}
