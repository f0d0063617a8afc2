// The descriptor over which the agent speaks, and the three that the process was born with, the first
// of which is the same socket. They lie in one process with the app, where the kernel cannot tell
// whose they are: on the app's threads it is as if they were not open.
package dev.retap.agent.world;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.channels.Channel;
import sun.misc.Unsafe;

public final class Pipe {
  private static final Unsafe UNSAFE = Memory.unsafe();
  private static final long NUMBER = Memory.offset(FileDescriptor.class, "fd");
  private static final int NONE = -1;
  private static final int LAST_STANDARD = 2;

  private static volatile int number = NONE;

  private Pipe() {}

  /** The channel is the agent's own. */
  public static void keep(Channel channel) {
    Object descriptor = Memory.field(channel, "fd");
    number = descriptor instanceof FileDescriptor open ? of(open) : NONE;
  }

  public static void reading(FileInputStream in) throws IOException {
    check(in.getFD(), "read");
  }

  static void check(FileDescriptor descriptor, String what) throws IOException {
    if (isKept(descriptor)) {
      throw new IOException(what + " failed: EBADF (Bad file descriptor)");
    }
  }

  /** Says whether closing is done with, because it must not happen. */
  public static boolean closing(FileDescriptor descriptor) {
    return isKept(descriptor);
  }

  private static boolean isKept(FileDescriptor descriptor) {
    int asked = of(descriptor);
    return asked != NONE && (asked == number || asked <= LAST_STANDARD) && Chance.mine();
  }

  private static int of(FileDescriptor descriptor) {
    return UNSAFE.getInt(descriptor, NUMBER);
  }
}
