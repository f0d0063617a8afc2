// The name of a frame as its source has it, without what translating and hosting add.
package dev.retap.agent.profile;

import dev.retap.agent.world.AppStatics;
import java.util.List;
import java.util.regex.Pattern;
import jdk.jfr.consumer.RecordedFrame;

final class FrameName {
  /** The prefix of a framework method whose place a wrapper has taken. */
  private static final String REAL = "$$robo$$";

  /** What the JVM appends to the names of hidden classes, and the numbers of lambdas. */
  private static final Pattern HIDDEN_NAME =
      Pattern.compile("(?<=\\$\\$Lambda).*|[/+.](0x[0-9a-f]+|[0-9]+)$");

  /** Classes that only carry a call from its place to its method. */
  private static final List<String> CARRIERS =
      List.of(
          "java.lang.invoke.DelegatingMethodHandle$Holder",
          "java.lang.invoke.DirectMethodHandle$Holder",
          "java.lang.invoke.Invokers$Holder",
          "java.lang.invoke.LambdaForm",
          "java.lang.reflect.Method",
          "java.lang.reflect.Constructor",
          "jdk.internal.reflect.");

  private FrameName() {}

  static String of(RecordedFrame frame) {
    return of(frame.getMethod().getType().getName(), frame.getMethod().getName());
  }

  static String of(String type, String method) {
    String name = method;
    if (method.equals(AppStatics.METHOD)) {
      name = "<clinit>";
    } else if (method.startsWith(REAL)) {
      name = method.substring(method.indexOf('$', REAL.length()) + 1);
    }
    return HIDDEN_NAME.matcher(type).replaceFirst("") + "." + name;
  }

  /** Tells whether a frame only calls the next one: by reflection, or in place of it. */
  static boolean isCarrier(RecordedFrame frame, RecordedFrame next) {
    String type = frame.getMethod().getType().getName();
    return CARRIERS.stream().anyMatch(type::startsWith)
        || next.getMethod().getName().startsWith(REAL) && of(frame).equals(of(next));
  }
}
