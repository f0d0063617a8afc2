package dev.retap.agent.world.jdk;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotSame;

import dev.retap.agent.world.TestWorld;
import java.io.PrintStream;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

public final class ConsoleTest {
  private PrintStream out;
  private PrintStream err;

  @Before
  public void keepStreams() {
    out = System.out;
    err = System.err;
  }

  @After
  public void restoreStreams() {
    System.setOut(out);
    System.setErr(err);
  }

  @Test
  public void whatTheAppPrintsNeverFails() {
    Console.renew();
    TestWorld.run(
        world -> {
          System.out.println("this line must not appear in the output of the tests");
          System.err.write('x');
          assertFalse(System.out.checkError());
        });
  }

  @Test
  public void aNewProcessHasNewStreams() {
    Console.renew();
    PrintStream first = System.out;
    Console.renew();
    assertNotSame(first, System.out);
  }
}
