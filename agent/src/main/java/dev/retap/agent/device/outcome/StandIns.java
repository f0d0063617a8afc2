// Finds the part that stand-ins took in an exception: their frames in its stack, the null that one
// of them returned, the calls that nobody plays.
package dev.retap.agent.device.outcome;

import dev.retap.agent.shadow.BoundShadows;
import dev.retap.agent.world.MissingCalls;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

final class StandIns {
  private static final int MOST = 5;

  private static final String[] PACKAGES = {
    "org.robolectric.shadows.",
    "dev.retap.agent.shadow.",
    "dev.retap.agent.device.binder.",
    "dev.retap.agent.device.outside.",
    "dev.retap.agent.device.system.",
    "dev.retap.agent.device.web."
  };

  /** Stand-ins that deliver messages, frames and surfaces as the framework's own code would. */
  private static final Pattern DELIVERY =
      Pattern.compile(
          "org\\.robolectric\\.shadows\\.Shadow\\w*(Looper|MessageQueue|Choreographer)\\b.*"
              + "|dev\\.retap\\.agent\\.shadow\\.surface\\.(Surface|Texture)ViewShadow\\b.*"
              + "|dev\\.retap\\.agent\\.shadow\\.graphics\\.(WindowDrawing|ViewRootImplShadow)\\b.*");

  /** Stand-ins that hand over to Android's own native code and take its answer. */
  private static final Pattern NATIVE =
      Pattern.compile(
          "org\\.robolectric\\.shadows\\.ShadowNative\\w+.*"
              + "|dev\\.retap\\.agent\\.shadow\\.libcore\\.(WorldSql|SQLiteConnectionShadow)");

  private static final Pattern NULL_RETURNED =
      Pattern.compile("because the return value of \"([\\w.$]+)\\(");

  private StandIns() {}

  /** Returns why the exception may not be the app's own doing, one sentence each. */
  static List<String> doubts(Throwable thrown) {
    Set<String> doubts = new LinkedHashSet<>();
    for (Throwable one : HostLimits.chain(thrown)) {
      Matcher returned = NULL_RETURNED.matcher(String.valueOf(one.getMessage()));
      if (one instanceof NullPointerException && returned.find()) {
        addNull(returned.group(1), doubts);
      }
      for (StackTraceElement frame : StackText.ofStep(one.getStackTrace())) {
        if (isStandIn(frame.getClassName())) {
          doubts.add(name(frame) + ", a stand-in, is in the stack");
        }
      }
    }
    for (String call : MissingCalls.inProcess()) {
      doubts.add(call + " was called before, which has no native code here");
    }
    for (String call : MissingCalls.lackingInProcess()) {
      doubts.add(call + " was called before, and this phone lacks what it asks for");
    }
    return new ArrayList<>(doubts).subList(0, Math.min(doubts.size(), MOST));
  }

  private static void addNull(String method, Set<String> doubts) {
    if (BoundShadows.contains(method)) {
      doubts.add(method + ", which a stand-in plays, returned the null");
    } else if (CodeOrigin.isFramework(method)) {
      for (String call : MissingCalls.nullsInStep()) {
        doubts.add(call + ", which nobody plays, answered null in the same step");
      }
    }
  }

  /** Names the stand-in that threw the exception and the framework method that it plays. */
  static String describe(Throwable thrown) {
    StackTraceElement[] frames = thrown.getStackTrace();
    for (int i = 0; i < frames.length; i++) {
      if (CodeOrigin.isTransparent(frames[i].getClassName())) {
        continue;
      }
      String thrower = " at " + name(frames[i]);
      if (!CodeOrigin.isHost(frames[i].getClassName())) {
        return thrower;
      }
      for (int j = i + 1; j < frames.length; j++) {
        if (CodeOrigin.isFramework(frames[j].getClassName())) {
          return thrower + " for " + name(frames[j]);
        }
      }
      return thrower;
    }
    return "";
  }

  private static boolean isStandIn(String type) {
    for (String prefix : PACKAGES) {
      if (type.startsWith(prefix)) {
        return !DELIVERY.matcher(type).matches() && !NATIVE.matcher(type).matches();
      }
    }
    return false;
  }

  private static String name(StackTraceElement frame) {
    return frame.getClassName() + "." + StackText.originalName(frame.getMethodName());
  }
}
