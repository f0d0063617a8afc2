// The order of immutable sets, in a JVM that begins with it as the agent's does.
package dev.retap.agent.rewrite;

import static org.junit.Assert.assertEquals;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import org.junit.Test;

public final class CollectionOrderTest {
  public static void main(String[] arguments) throws Exception {
    CollectionOrder.fix();
    System.out.print(Set.of("a", "b", "c", "d", "e"));
  }

  @Test
  public void immutableSetsHaveOneOrderInEveryProcess() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                CollectionOrderTest.class.getName())
            .start();
    byte[] printed = process.getInputStream().readAllBytes();
    assertEquals("[d, c, b, a, e]", new String(printed, StandardCharsets.UTF_8));
  }
}
