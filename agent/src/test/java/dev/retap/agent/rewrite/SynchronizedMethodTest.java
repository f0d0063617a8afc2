package dev.retap.agent.rewrite;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.lang.reflect.Modifier;
import java.util.concurrent.Callable;
import org.junit.Test;

public final class SynchronizedMethodTest {
  /** Each method tells by its result, or by its message, who holds the monitor inside it. */
  public static class Account implements Callable<String> {
    private int calls;

    @Override
    public String call() {
      return holds(this)
          + " "
          + add(2, 3L)
          + " "
          + failure()
          + " "
          + ofClass()
          + " "
          + sum("ab", 4L, 3)
          + " "
          + calls
          + " "
          + holds(this);
    }

    synchronized long add(int a, long b) {
      if (!Thread.holdsLock(this)) {
        return -1;
      }
      try {
        calls += Integer.parseInt("1");
        return a > 0 ? a + b : b;
      } finally {
        calls++;
      }
    }

    synchronized void fail() {
      throw new IllegalStateException("held " + holds(this));
    }

    static synchronized String ofClass() {
      return "class " + Thread.holdsLock(Account.class);
    }

    /** Its arguments, variables and branches make frames of every kind. */
    static synchronized long sum(String text, long start, int times) {
      long sum = start;
      for (int i = 0; i < times; i++) {
        String part = i % 2 == 0 ? text : text + text;
        try {
          sum += Integer.parseInt(part);
        } catch (NumberFormatException e) {
          sum += part.length();
        }
      }
      return Thread.holdsLock(Account.class) ? sum : -1;
    }

    private String failure() {
      try {
        fail();
        return "none";
      } catch (IllegalStateException e) {
        return e.getMessage();
      }
    }

    private static boolean holds(Object monitor) {
      return Thread.holdsLock(monitor);
    }
  }

  @Test
  public void theMonitorIsHeldInsideAndLeftByReturnsAndExceptions() throws Exception {
    Class<?> account = rewritten();
    Callable<?> call = (Callable<?>) account.getDeclaredConstructor().newInstance();
    // Often enough that the JVM compiles the methods, which it does only if the monitors match.
    for (int i = 0; i < 20_000; i++) {
      assertEquals("false 5 held true class true 12 " + 2 * (i + 1) + " false", call.call());
    }
    assertFalse(Thread.holdsLock(account));
    assertThrows(IllegalMonitorStateException.class, call::notify);
  }

  @Test
  public void theJvmEntersNoMonitorByItself() throws Exception {
    int modifiers = rewritten().getDeclaredMethod("fail").getModifiers();
    assertFalse(Modifier.isSynchronized(modifiers));
    assertTrue(Modifier.isSynchronized(Account.class.getDeclaredMethod("fail").getModifiers()));
  }

  private static Class<?> rewritten() throws Exception {
    byte[] bytes = CallRewriter.rewrite(RewrittenClasses.bytesOf(Account.class), false);
    return RewrittenClasses.load(Account.class, bytes);
  }
}
