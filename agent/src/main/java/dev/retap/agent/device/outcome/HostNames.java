// Names that this machine or this process made up and that differ from run to run.
package dev.retap.agent.device.outcome;

import java.util.regex.Pattern;

public final class HostNames {
  /** Temporary folders of this agent and of the host. */
  private static final Pattern FOLDER =
      Pattern.compile(
          Pattern.quote(System.getProperty("java.io.tmpdir"))
              + "(/(retap-phone|robolectric-[a-z-]*)[0-9]+)?");

  /** Classes of lambdas and proxies, which the JVM numbers in the order it makes them. */
  private static final Pattern CLASS =
      Pattern.compile("(\\$\\$Lambda)(\\$[0-9]+)?/0x[0-9a-f]+|(\\$Proxy)[0-9]+");

  /** The JVM's note on which class loaders two incompatible classes come from. */
  private static final Pattern LOADERS =
      Pattern.compile(" \\([^()]* (is|are) in [^()]*(module|loader)[^()]*\\)");

  private HostNames() {}

  /** Replaces such names, so that the text is the same on every machine. */
  public static String hide(String text) {
    String hidden = text.indexOf('/') < 0 ? text : FOLDER.matcher(text).replaceAll("/data");
    hidden = hidden.indexOf('$') < 0 ? hidden : CLASS.matcher(hidden).replaceAll("$1$3");
    return hidden.contains(" loader ") ? LOADERS.matcher(hidden).replaceAll("") : hidden;
  }
}
