// The file descriptors that belong to the agent: its channel to retap, and the three standard ones,
// the first of which is the same socket. The app runs in the same process, where the kernel cannot
// tell whose they are. On the app's threads they behave as if they were closed.
package dev.retap.agent.world.jdk;

import dev.retap.agent.world.Scheduler;
import dev.retap.agent.world.memory.UnsafeMemory;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.channels.Channel;
import sun.misc.Unsafe;

public final class AgentDescriptors {
  private static final Unsafe UNSAFE = UnsafeMemory.unsafe();
  private static final long NUMBER = UnsafeMemory.offset(FileDescriptor.class, "fd");
  private static final int NONE = -1;
  private static final int LAST_STANDARD = 2;

  private static volatile int channelNumber = NONE;

  private AgentDescriptors() {}

  /** Reserves the descriptor of the agent's own channel. */
  public static void reserve(Channel channel) {
    Object descriptor = UnsafeMemory.field(channel, "fd");
    channelNumber = descriptor instanceof FileDescriptor open ? numberOf(open) : NONE;
  }

  public static void checkRead(FileInputStream in) throws IOException {
    check(in.getFD(), "read");
  }

  static void check(FileDescriptor descriptor, String operation) throws IOException {
    if (isReserved(descriptor)) {
      throw new IOException(operation + " failed: EBADF (Bad file descriptor)");
    }
  }

  /** Returns true if the descriptor must stay open, so that close does nothing. */
  public static boolean refusesClose(FileDescriptor descriptor) {
    return isReserved(descriptor);
  }

  private static boolean isReserved(FileDescriptor descriptor) {
    int asked = numberOf(descriptor);
    return asked != NONE
        && (asked == channelNumber || asked <= LAST_STANDARD)
        && Scheduler.isAppThread();
  }

  private static int numberOf(FileDescriptor descriptor) {
    return UNSAFE.getInt(descriptor, NUMBER);
  }
}
