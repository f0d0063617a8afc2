// A copy of a theme has entries only for what the theme sets, and the theme's own values.
package dev.retap.agent.rewrite;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import dev.retap.agent.rewrite.fixes.ThemeCopyFix;
import java.io.InputStream;
import java.util.List;
import org.junit.Test;
import org.robolectric.res.android.ThemeEntries;

public final class ThemeCopyFixTest {
  private static final String THEME = "org/robolectric/res/android/CppAssetManager2$Theme";
  private static final String VALUE = "org/robolectric/res/android/ResourceTypes$Res_value";

  @Test
  public void robolectricsThemeIsCopiedWithoutEmptyEntriesAndValues() throws Exception {
    byte[] original;
    try (InputStream in = ClassLoader.getSystemResourceAsStream(THEME + ".class")) {
      original = in.readAllBytes();
    }
    assertTrue(ThemeCopyFix.wants(THEME));
    List<String> before = RewrittenClasses.callsIn(original, "SetTo");
    List<String> after = RewrittenClasses.callsIn(ThemeCopyFix.rewrite(original), "SetTo");
    assertTrue(before.toString(), before.stream().anyMatch(it -> it.startsWith(VALUE + ".copy")));
    assertFalse(after.toString(), after.stream().anyMatch(it -> it.startsWith(VALUE + ".copy")));
    assertEquals(
        after.toString(), 1, after.stream().filter(it -> it.contains("ThemeEntries.put")).count());
    assertEquals("no call besides", before.size() - 1, after.size());
  }

  @Test
  public void anEntryIsCopiedIfThereIsOne() {
    Object[] entries = new Object[2];
    ThemeEntries.putCopy(entries, 0, "copy", "original");
    ThemeEntries.putCopy(entries, 1, "copy", null);
    assertArrayEquals(new Object[] {"copy", null}, entries);
  }
}
