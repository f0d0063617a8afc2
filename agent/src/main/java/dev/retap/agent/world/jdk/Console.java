// System.out and System.err, renewed for each process of the app. What the app prints is dropped
// and never fails. What the host prints goes to the agent's log, up to a bound. The JDK does not
// call this class, so it is the one class of the package that the boot loader does not load.
package dev.retap.agent.world.jdk;

import dev.retap.agent.world.Scheduler;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicLong;

public final class Console extends OutputStream {
  /** The bytes that the host may still print. */
  private static final AtomicLong BYTES_LEFT = new AtomicLong(8 << 20);

  private final OutputStream host;

  private Console(FileDescriptor descriptor) {
    host = new FileOutputStream(descriptor);
  }

  /** Sets new streams, because an app may have closed or replaced the old ones. */
  public static void renew() {
    System.setOut(new PrintStream(new Console(FileDescriptor.out), true));
    System.setErr(new PrintStream(new Console(FileDescriptor.err), true));
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    if (!Scheduler.isAppThread() && BYTES_LEFT.addAndGet(-length) >= 0) {
      host.write(bytes, from, length);
    }
  }
}
