// System.out and System.err, new for each process of the app's: what it prints goes nowhere and never
// fails. What the host says goes to the agent's log, up to a bound.
package dev.retap.agent.world;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicLong;

public final class Console extends OutputStream {
  private static final AtomicLong LEFT = new AtomicLong(8 << 20);

  private final OutputStream host;

  private Console(FileDescriptor descriptor) {
    host = new FileOutputStream(descriptor);
  }

  /** An app may have closed or replaced the ones there were. */
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
    if (!Chance.mine() && LEFT.addAndGet(-length) >= 0) {
      host.write(bytes, from, length);
    }
  }
}
