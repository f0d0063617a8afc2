// Tells whether the app's thread runs code of the host: its shadows and libraries are written for
// the JDK.
package dev.retap.agent.world.libcore;

import java.util.Optional;

final class Callers {
  private Callers() {}

  /** Returns true if the nearest caller outside the JDK belongs to the host. */
  static boolean isHost() {
    Optional<String> caller =
        StackWalker.getInstance()
            .walk(
                frames ->
                    frames
                        .map(StackWalker.StackFrame::getClassName)
                        .filter(name -> !isOfJdk(name))
                        .findFirst());
    return caller.isPresent() && isOfHost(caller.get());
  }

  private static boolean isOfJdk(String name) {
    return name.startsWith("java.")
        || name.startsWith("jdk.")
        || name.startsWith("sun.")
        || name.startsWith("dev.retap.agent.world.");
  }

  private static boolean isOfHost(String name) {
    return name.startsWith("org.robolectric.") || name.startsWith("dev.retap.agent.");
  }
}
