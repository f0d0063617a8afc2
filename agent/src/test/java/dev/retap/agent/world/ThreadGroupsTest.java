// The app's threads cannot find those of the host.
package dev.retap.agent.world;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertNull;

import java.lang.reflect.Method;
import org.junit.Test;

public final class ThreadGroupsTest {
  @Test
  public void noWayLeadsFromTheGroupsOfTheAppToThoseOfTheHost() {
    ThreadGroup main = ThreadGroups.app();
    assertEquals("main", main.getName());
    ThreadGroup root = main.getParent();
    assertEquals("system", root.getName());
    assertNull(root.getParent());
    assertFalse(root.parentOf(ThreadGroups.host()));
    assertNotSame(root, Thread.currentThread().getThreadGroup().getParent());
  }

  @Test
  public void methodsThatListEveryThreadAreNotShown() throws ReflectiveOperationException {
    for (Method method : ThreadGroups.visible(Thread.class.getDeclaredMethods())) {
      assertFalse(method.getName(), method.getName().matches("get(All)?Threads|dumpThreads"));
    }
  }
}
