// Tells a failure of this host from a crash of the app: a native method without an
// implementation, a service without a stand-in, a fault of a stand-in, code that could not be
// translated. It looks at every exception of the chain, because apps and libraries wrap what they
// catch. In doubt the failure is the app's.
package dev.retap.agent.device.outcome;

import dev.retap.agent.wire.Observation.Limitation;
import dev.retap.agent.world.MissingCalls;
import java.lang.reflect.InaccessibleObjectException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public final class HostLimits {
  /** Names the binder call, or the service itself, that was null. */
  private static final Pattern NO_SERVICE =
      Pattern.compile(
          "because (the return value of \"(android|com\\.android)\\.[\\w.$]*\\bI[A-Z]\\w*\\.\\w+\\("
              + "|\"(this\\.)?[ms]\\w*(Service|Binder)\" is null"
              + "|the return value of \"java\\.lang\\.reflect\\.InvocationHandler)");

  private static final Pattern NULL_RETURNED =
      Pattern.compile("because the return value of \"((?:android|dalvik)\\.[\\w.$]+)\\.(\\w+)\\(");

  private static final Pattern MISSING_CALL =
      Pattern.compile(Pattern.quote(MissingCalls.MESSAGE) + "([\\w.$]+)");

  private HostLimits() {}

  /** Returns the missing part of the host that caused the failure, or null if it is the app's. */
  public static Limitation of(Throwable thrown) {
    List<Throwable> chain = chain(thrown);
    // The last cause says most; the wrappers only repeat it.
    for (int i = chain.size() - 1; i >= 0; i--) {
      Limitation limitation = ofOne(chain.get(i));
      if (limitation != null) {
        return limitation;
      }
    }
    return null;
  }

  /** Returns the exception with all its causes and all that was suppressed, the outermost first. */
  static List<Throwable> chain(Throwable thrown) {
    List<Throwable> found = new ArrayList<>();
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Throwable> open = new ArrayDeque<>(List.of(thrown));
    while (!open.isEmpty()) {
      Throwable next = open.poll();
      if (!seen.add(next)) {
        continue;
      }
      found.add(next);
      open.addAll(Arrays.asList(next.getSuppressed()));
      if (next.getCause() != null) {
        open.add(next.getCause());
      }
    }
    return found;
  }

  private static Limitation ofOne(Throwable thrown) {
    Matcher call = MISSING_CALL.matcher(String.valueOf(thrown.getMessage()));
    if (call.find()) {
      return new Limitation("native method", call.group(1));
    }
    String place = WorldFaults.place(thrown);
    if (place != null) {
      return new Limitation("stand-in", HostNames.hide(thrown + " at " + place));
    }
    String kind = kind(thrown);
    return kind == null
        ? null
        : new Limitation(kind, HostNames.hide(thrown + StandIns.describe(thrown)));
  }

  private static String kind(Throwable thrown) {
    String message = HostNames.hide(String.valueOf(thrown.getMessage()));
    String thrower = CodeOrigin.thrower(thrown);
    if (message.startsWith("d2j fail translate")
        || thrown instanceof VerifyError
        || thrown instanceof ClassFormatError) {
      return "translation";
    }
    if (thrown instanceof ClassNotFoundException || thrown instanceof NoClassDefFoundError) {
      return CodeOrigin.isOfPhone(message) || CodeOrigin.namesHost(message) ? "class" : null;
    }
    if (thrown instanceof UnsatisfiedLinkError) {
      // The JVM names the method in quotes. Any other message is that of a failed load.
      boolean isOfFramework =
          message.startsWith("'") && CodeOrigin.isFramework(CodeOrigin.member(message));
      return isOfFramework || CodeOrigin.isFramework(thrower) ? "native method" : null;
    }
    if (thrown instanceof LinkageError
        && (CodeOrigin.isHost(thrower)
            || CodeOrigin.isFramework(thrower)
            || CodeOrigin.isLibcore(CodeOrigin.member(message)))) {
      return "framework method";
    }
    if (thrown instanceof InaccessibleObjectException) {
      return "reflection";
    }
    if (message.contains("No service published for")) {
      return "service";
    }
    if (thrown instanceof NullPointerException && isNullOfNativeMethod(message)) {
      return "native method";
    }
    if (thrown instanceof NullPointerException
        && CodeOrigin.isFramework(thrower)
        && NO_SERVICE.matcher(message).find()) {
      return "service";
    }
    return CodeOrigin.namesHost(message) || isFault(thrown) && CodeOrigin.isHost(thrower)
        ? "stand-in"
        : null;
  }

  /** Returns true for exceptions that code throws by mistake, not to tell its caller something. */
  private static boolean isFault(Throwable thrown) {
    return thrown instanceof NullPointerException
        || thrown instanceof UnsupportedOperationException
        || thrown instanceof ClassCastException
        || thrown instanceof IndexOutOfBoundsException
        || thrown instanceof ReflectiveOperationException
        || thrown instanceof AssertionError
        || thrown instanceof LinkageError
        || thrown.getClass() == RuntimeException.class
        || thrown.getClass() == Error.class;
  }

  /** Returns true if a native method gave the null: without a shadow it always does. */
  private static boolean isNullOfNativeMethod(String message) {
    Matcher returned = NULL_RETURNED.matcher(message);
    if (!returned.find()) {
      return false;
    }
    try {
      String binding = "$$robo$$" + returned.group(2) + "$nativeBinding";
      Class<?> owner = Class.forName(returned.group(1), false, HostLimits.class.getClassLoader());
      return Arrays.stream(owner.getDeclaredMethods()).anyMatch(m -> m.getName().equals(binding));
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
