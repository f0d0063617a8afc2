// The moments at which the app waits for the disk. The phone's disk does not outlive the phone, so
// there is nothing to wait for: a machine that loses its power loses the phone too.
package dev.retap.agent.world.jdk;

import dev.retap.agent.world.Scheduler;
import java.io.FileDescriptor;
import java.io.SyncFailedException;
import java.nio.channels.FileChannel;

public final class DiskSync {
  private DiskSync() {}

  /** Replaces FileDescriptor.sync. A closed file still fails. */
  public static void sync(FileDescriptor file) throws SyncFailedException {
    if (!file.valid() || !Scheduler.isAppThread()) {
      file.sync();
    }
  }

  /** Returns true if a channel need not be forced to the disk. A closed one still fails. */
  public static boolean skipsForce(Object channel) {
    return Scheduler.isAppThread() && ((FileChannel) channel).isOpen();
  }

  /** Returns the mode in which a file is opened: one that forces each write is as good without. */
  public static String mode(String mode) {
    boolean forces = "rwd".equals(mode) || "rws".equals(mode);
    return forces && Scheduler.isAppThread() ? "rw" : mode;
  }
}
