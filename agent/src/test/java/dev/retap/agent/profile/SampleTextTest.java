package dev.retap.agent.profile;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class SampleTextTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void namesAreThoseOfTheSource() {
    assertEquals("android.app.Activity.onCreate", FrameName.of("android.app.Activity", "onCreate"));
    assertEquals(
        "android.app.Activity.onCreate",
        FrameName.of("android.app.Activity", "$$robo$$android_app_Activity$onCreate"));
    assertEquals("a.B.<clinit>", FrameName.of("a.B", "$retap$statics"));
    assertEquals("a.B$$Lambda.run", FrameName.of("a.B$$Lambda$17+0x0000000800c01000", "run"));
    assertEquals("j.LambdaForm$MH.invoke", FrameName.of("j.LambdaForm$MH/0x00000008", "invoke"));
    assertEquals("j.LambdaForm$MH.invoke", FrameName.of("j.LambdaForm$MH.1083021083", "invoke"));
  }

  @Test
  public void aBusyMethodIsInTheSamplesOfARecording() throws Exception {
    Path file = folder.getRoot().toPath().resolve("recording.jfr");
    Path text = folder.getRoot().toPath().resolve("samples.txt");
    try (Recording recording = new Recording()) {
      recording.enable("jdk.ExecutionSample").withPeriod(Duration.ofMillis(10));
      recording.enable("jdk.ClassLoad").withThreshold(Duration.ZERO);
      recording.start();
      long end = System.nanoTime() + 1_000_000_000L;
      while (System.nanoTime() < end) {
        spin();
      }
      Class.forName("java.util.concurrent.Exchanger");
      recording.stop();
      recording.dump(file);
    }
    SampleText.write(file, text);
    List<String> lines = Files.readAllLines(text);
    List<String> frames = lines.stream().filter(line -> line.startsWith("frame\t")).toList();
    assertTrue(
        frames.toString(), frames.stream().anyMatch(it -> it.endsWith("SampleTextTest.spin")));
    assertTrue(lines.stream().anyMatch(line -> line.matches("load\t\\d+\t\\d+\t\\d+")));
    List<String> samples = lines.stream().filter(line -> line.startsWith("sample\t")).toList();
    assertTrue(samples.stream().allMatch(it -> it.matches("sample\t\\d+\t\\d+\t[0-9 ]+")));
    long spinning = frames.stream().filter(it -> it.endsWith("SampleTextTest.spin")).count();
    assertTrue("one frame for each kind", spinning <= 2);
  }

  private static double spin() {
    double sum = 0;
    for (int i = 1; i < 200_000; i++) {
      sum += Math.sqrt(i) / i;
    }
    return sum;
  }
}
