// Prints the shadow methods of API levels: `ShadowCount 28=JAR 34=JAR`, with `-l` each of them.
package dev.retap.agent.host;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;

public final class ShadowCount {
  private ShadowCount() {}

  public static void main(String[] arguments) throws IOException {
    ShadowList list = ShadowList.read();
    for (String argument : arguments) {
      int equals = argument.indexOf('=');
      int apiLevel = Integer.parseInt(argument.substring(0, equals));
      Map<ShadowReport.Decision, Integer> counts = new EnumMap<>(ShadowReport.Decision.class);
      for (ShadowReport.Line line :
          new ShadowReport(apiLevel, list).lines(Path.of(argument.substring(equals + 1)))) {
        counts.merge(line.decision(), 1, Integer::sum);
        System.out.println(
            apiLevel
                + " "
                + line.decision()
                + " "
                + line.type()
                + " "
                + line.method()
                + line.descriptor()
                + " "
                + line.shadow()
                + "."
                + line.shadowMethod());
      }
      System.out.println(apiLevel + " " + counts);
    }
  }
}
