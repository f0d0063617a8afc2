// The list of shadows is sorted, names what exists, and decides what applies.
package dev.retap.agent.host;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import dev.retap.agent.rewrite.ShadowOutline;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.Test;

public final class ShadowListTest {
  private static final String SHADOWS = "org.robolectric.shadows.";

  private final ShadowList list = ShadowList.read();

  @Test
  public void entriesAreSortedAndUnique() {
    List<String> names = new ArrayList<>();
    list.entries().forEach(entry -> names.add(entry.shadow() + "." + entry.method()));
    assertEquals(new ArrayList<>(new TreeSet<>(names)), names);
  }

  @Test
  public void everyEntryNamesAShadowAndAMethodThatExist() {
    List<String> missing = new ArrayList<>();
    for (ShadowList.Entry entry : list.entries()) {
      String name = SHADOWS + entry.shadow();
      if (getClass().getResource("/" + name.replace('.', '/') + ".class") == null) {
        missing.add(entry.shadow());
      } else if (!entry.method().equals("*")
          && ShadowOutline.of(name).methods().stream()
              .noneMatch(it -> it.name().equals(entry.method()))) {
        missing.add(entry.shadow() + "." + entry.method());
      }
    }
    assertEquals(List.of(), missing);
  }

  @Test
  public void everyEntryGivesAReason() {
    list.entries().forEach(entry -> assertTrue(entry.shadow(), entry.reason().length() > 5));
  }

  @Test
  public void shadowsOfJavaCodeApplyOnlyIfTheyAreListed() {
    assertTrue(list.allows(SHADOWS + "ShadowPausedLooper", "loop"));
    assertTrue(list.allows("dev.retap.agent.shadow.ToastShadow", "show"));
    assertFalse(list.allows(SHADOWS + "ShadowAbsSpinner", "setSelection"));
    assertFalse(list.allows(SHADOWS + "ShadowTabHost", "addTab"));
    assertFalse(list.allows("android.widget.TabHost", "addTab"));
  }

  @Test
  public void anExceptionIsStrongerThanAllMethods() {
    assertTrue(list.allows(SHADOWS + "ShadowActivityManager", "getAppTasks"));
    assertFalse(list.allows(SHADOWS + "ShadowActivityManager", "getService"));
  }
}
