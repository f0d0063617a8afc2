// What the report says of an API level is what the rewritten framework does. It needs the Android
// jars that Maven may have fetched for the agent; levels without one are left out.
package dev.retap.agent.host;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.Assume;
import org.junit.Test;

public final class ShadowReportTest {
  private static final Map<Integer, String> VERSIONS =
      Map.of(
          23, "6.0.1_r3-robolectric-r1-i7",
          28, "9-robolectric-4913185-2-i7",
          34, "14-robolectric-10818077-i7");

  @Test
  public void whatReplacesJavaCodeIsListedWithAReason() throws IOException {
    ShadowList list = ShadowList.read();
    int levels = 0;
    for (Map.Entry<Integer, String> version : VERSIONS.entrySet()) {
      Path jar = jar(version.getValue());
      if (!Files.exists(jar)) {
        continue;
      }
      levels++;
      List<ShadowReport.Line> lines = new ShadowReport(version.getKey(), list).lines(jar);
      for (ShadowReport.Line line : lines) {
        boolean applies = line.decision() != ShadowReport.Decision.REJECTED;
        if (line.decision() == ShadowReport.Decision.LISTED) {
          assertNotNull(line.toString(), line.entry());
        }
        if (line.decision() != ShadowReport.Decision.NATIVE) {
          assertEquals(line.toString(), applies, list.allows(line.shadow(), line.shadowMethod()));
        }
      }
      assertFate(lines, ShadowReport.Decision.OWN, "android.os.Parcel", "nativeWriteInt");
      assertFate(
          lines, ShadowReport.Decision.REJECTED, "android.widget.AbsSpinner", "setSelection");
      assertFate(lines, ShadowReport.Decision.LISTED, "android.os.Looper", "loop");
      assertFate(lines, ShadowReport.Decision.NATIVE, "android.util.Log", "println_native");
    }
    Assume.assumeTrue("no Android jar", levels > 0);
  }

  private static void assertFate(
      List<ShadowReport.Line> lines, ShadowReport.Decision decision, String type, String method) {
    assertTrue(
        type + "." + method,
        lines.stream()
            .anyMatch(
                line ->
                    line.type().equals(type)
                        && line.method().equals(method)
                        && line.decision() == decision));
  }

  private static Path jar(String version) {
    return Path.of(
        System.getProperty("user.home"),
        ".m2/repository/org/robolectric/android-all-instrumented",
        version,
        "android-all-instrumented-" + version + ".jar");
  }
}
