// Slow methods of Robolectric become calls of ours, with the same parameters.
package dev.retap.agent.rewrite;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import dev.retap.agent.rewrite.fixes.ThemeCopyFix;
import java.util.List;
import org.junit.Test;

public final class MethodReplacerTest {
  private static final String PARSER = "org/robolectric/res/android/ResXMLParser";
  private static final String PACKAGES = "org/robolectric/shadows/ShadowApplicationPackageManager";
  private static final String THEME = "org/robolectric/res/android/CppAssetManager2$Theme";

  @Test
  public void theReceiverBecomesTheFirstArgument() throws Exception {
    byte[] rewritten = MethodReplacer.rewrite(PARSER, RewrittenClasses.bytesOf(PARSER));
    assertEquals(
        List.of(
            "org/robolectric/res/android/FastResourceReads.getAttributeNameID(L" + PARSER + ";I)I"),
        RewrittenClasses.callsIn(rewritten, "getAttributeNameID"));
  }

  @Test
  public void aStaticMethodKeepsItsParameters() throws Exception {
    byte[] rewritten = MethodReplacer.rewrite(PACKAGES, RewrittenClasses.bytesOf(PACKAGES));
    String type = "Landroid/content/pm/PackageInfo;";
    assertEquals(
        List.of("dev/retap/agent/shadow/PackageInfoCopy.newPackageInfo(" + type + ")" + type),
        RewrittenClasses.callsIn(rewritten, "newPackageInfo"));
  }

  @Test
  public void otherMethodsAndClassesStay() throws Exception {
    byte[] original = RewrittenClasses.bytesOf(PARSER);
    byte[] rewritten = MethodReplacer.rewrite(PARSER, original);
    assertEquals(
        RewrittenClasses.callsIn(original, "next"), RewrittenClasses.callsIn(rewritten, "next"));
    assertFalse(MethodReplacer.wants("android/view/View"));
  }

  @Test
  public void aCopyOfAThemeMakesOneTableLess() throws Exception {
    String create = THEME + "$ThemePackage.<init>";
    byte[] original = RewrittenClasses.bytesOf(THEME);
    assertTrue(ThemeCopyFix.wants(THEME));
    long before = countCalls(original, create);
    assertTrue(before >= 1);
    assertEquals(before - 1, countCalls(ThemeCopyFix.rewrite(original), create));
  }

  private static long countCalls(byte[] classFile, String prefix) {
    List<String> calls = RewrittenClasses.callsIn(classFile, "SetTo");
    return calls.stream().filter(call -> call.startsWith(prefix)).count();
  }

  @Test
  public void theAgentRewritesFrameworkClassesThatNeedIt() throws Exception {
    byte[] sleeper = RewrittenClasses.bytesOf(CallRewriterTest.Sleeper.class);
    assertNotNull(WorldAgent.rewrite("android/test/Sleeper", sleeper, null));
    assertEquals(null, WorldAgent.rewrite("org/example/Sleeper", sleeper, null));
    byte[] quiet = RewrittenClasses.bytesOf(CallRewriterTest.Looper.class);
    assertEquals(null, WorldAgent.rewrite("android/test/Quiet", quiet, null));
  }
}
