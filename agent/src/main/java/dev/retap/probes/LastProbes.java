// Keeps the probes of a process that ends by an uncaught exception: what ran up to a crash counts
// too. The handler that was there before goes on as if nothing had happened.
package dev.retap.probes;

import java.io.IOException;

final class LastProbes implements Thread.UncaughtExceptionHandler {
  private final CoverageProvider provider;
  private final Thread.UncaughtExceptionHandler next;

  LastProbes(CoverageProvider provider, Thread.UncaughtExceptionHandler next) {
    this.provider = provider;
    this.next = next;
  }

  @Override
  public void uncaughtException(Thread thread, Throwable exception) {
    try {
      provider.keepLast();
    } catch (IOException lost) {
      // The crash matters more than its coverage.
    } catch (RuntimeException lost) {
      // As above.
    }
    if (next != null) {
      next.uncaughtException(thread, exception);
    }
  }
}
