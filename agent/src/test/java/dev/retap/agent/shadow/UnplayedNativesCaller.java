// Plays a class of the app that calls the framework.
package dev.retap.agent.shadow;

import java.util.function.Supplier;

public final class UnplayedNativesCaller implements Supplier<String> {
  @Override
  public String get() {
    return UnplayedNativesTest.Service.measure();
  }
}
