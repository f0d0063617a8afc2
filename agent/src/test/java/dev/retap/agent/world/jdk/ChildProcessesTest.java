package dev.retap.agent.world.jdk;

import static org.junit.Assert.assertThrows;

import dev.retap.agent.world.TestWorld;
import java.io.IOException;
import org.junit.Test;

public final class ChildProcessesTest {
  @Test
  public void noProgramExistsForTheApp() throws Exception {
    TestWorld.run(world -> assertThrows(IOException.class, ChildProcesses::checkStart));
    ChildProcesses.checkStart();
  }
}
