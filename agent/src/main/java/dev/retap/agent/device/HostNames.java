// Names that this machine or this process has made up, and that differ from run to run.
package dev.retap.agent.device;

import java.util.regex.Pattern;

final class HostNames {
  /** Temporary folders of this agent and of the host. */
  private static final Pattern FOLDER =
      Pattern.compile(
          Pattern.quote(System.getProperty("java.io.tmpdir"))
              + "(/(retap-phone|robolectric-[a-z-]*)[0-9]+)?");

  /** The JVM numbers the classes that it makes for lambdas and proxies as it meets them. */
  private static final Pattern CLASS =
      Pattern.compile("(\\$\\$Lambda)(\\$[0-9]+)?/0x[0-9a-f]+|(\\$Proxy)[0-9]+");

  /** Where the JVM says which loaders two classes that do not fit have come from. */
  private static final Pattern LOADERS =
      Pattern.compile(" \\([^()]* (is|are) in [^()]*(module|loader)[^()]*\\)");

  private HostNames() {}

  /** The text as it is on every machine: with a phone's folder where it names one of these. */
  static String hide(String text) {
    String hidden = text.indexOf('/') < 0 ? text : FOLDER.matcher(text).replaceAll("/data");
    hidden = hidden.indexOf('$') < 0 ? hidden : CLASS.matcher(hidden).replaceAll("$1$3");
    return hidden.contains(" loader ") ? LOADERS.matcher(hidden).replaceAll("") : hidden;
  }
}
