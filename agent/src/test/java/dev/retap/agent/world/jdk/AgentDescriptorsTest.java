// The agent's descriptors are closed for the app and open for the host.
package dev.retap.agent.world.jdk;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import dev.retap.agent.world.TestWorld;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public final class AgentDescriptorsTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void theAppCannotUseTheStandardDescriptors() {
    FileInputStream in = new FileInputStream(FileDescriptor.in);
    TestWorld.run(
        world -> {
          IOException e = assertThrows(IOException.class, () -> AgentDescriptors.checkRead(in));
          assertTrue(e.getMessage().contains("EBADF"));
          assertThrows(
              IOException.class, () -> AgentDescriptors.check(FileDescriptor.out, "write"));
          assertTrue(AgentDescriptors.refusesClose(FileDescriptor.err));
        });
  }

  @Test
  public void theAppCannotUseTheAgentsChannel() throws Exception {
    File path = folder.newFile();
    RandomAccessFile channel = new RandomAccessFile(path, "rw");
    try (channel;
        FileInputStream own = new FileInputStream(path)) {
      AgentDescriptors.reserve(channel.getChannel());
      TestWorld.run(
          world -> {
            assertThrows(IOException.class, () -> AgentDescriptors.check(channel.getFD(), "write"));
            assertTrue(AgentDescriptors.refusesClose(channel.getFD()));
            AgentDescriptors.checkRead(own);
            assertFalse(AgentDescriptors.refusesClose(own.getFD()));
          });
      assertFalse("the host may close it", AgentDescriptors.refusesClose(channel.getFD()));
    }
    // A closed channel has no descriptor, so other tests may get this one.
    AgentDescriptors.reserve(channel.getChannel());
  }

  @Test
  public void theHostMayUseAllDescriptors() throws Exception {
    AgentDescriptors.checkRead(new FileInputStream(FileDescriptor.in));
    AgentDescriptors.check(FileDescriptor.out, "write");
    assertFalse(AgentDescriptors.refusesClose(FileDescriptor.out));
  }
}
