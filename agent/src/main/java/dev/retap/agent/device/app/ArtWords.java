// What code of the app hears when it asks an exception for its text: the messages of those that
// the virtual machine makes are in Android's words. The calls themselves stay here, since code of
// this package only passes on what the app does wrong.
package dev.retap.agent.device.app;

import dev.retap.agent.device.outcome.ArtMessage;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.Stream;

public final class ArtWords {
  private ArtWords() {}

  public static String getMessage(Throwable thrown) {
    return ArtMessage.isOfMachine(thrown)
        ? ArtMessage.of(thrown)
        : ArtMessage.withCauses(thrown, thrown.getMessage());
  }

  public static String getLocalizedMessage(Throwable thrown) {
    return ArtMessage.isOfMachine(thrown)
        ? ArtMessage.of(thrown)
        : ArtMessage.withCauses(thrown, thrown.getLocalizedMessage());
  }

  public static String toString(Throwable thrown) {
    return ArtMessage.isOfMachine(thrown)
        ? ArtMessage.textOfMachine(thrown)
        : ArtMessage.withCauses(thrown, thrown.toString());
  }

  public static void printStackTrace(Throwable thrown, PrintWriter out) {
    if (ArtMessage.isWithin(thrown)) {
      printed(thrown).forEach(line -> out.println((Object) line));
    } else {
      thrown.printStackTrace(out);
    }
  }

  public static void printStackTrace(Throwable thrown, PrintStream out) {
    if (ArtMessage.isWithin(thrown)) {
      printed(thrown).forEach(line -> out.println((Object) line));
    } else {
      thrown.printStackTrace(out);
    }
  }

  private static Stream<String> printed(Throwable thrown) {
    StringWriter text = new StringWriter();
    thrown.printStackTrace(new PrintWriter(text));
    return ArtMessage.withCauses(thrown, text.toString()).lines();
  }
}
