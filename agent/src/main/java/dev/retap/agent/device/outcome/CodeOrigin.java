// Tells from a name whose code it is: a stand-in of this host, the framework, or the app.
package dev.retap.agent.device.outcome;

import java.util.regex.Pattern;

final class CodeOrigin {
  /** Code that only passes a call of the app on. What it throws is the fault of its caller. */
  private static final String[] TRANSPARENT = {
    "java.",
    "javax.",
    "jdk.",
    "sun.",
    "dev.retap.agent.world.",
    "dev.retap.agent.device.app.",
    "org.robolectric.internal.bytecode."
  };

  private static final String[] JDK = {"java.", "javax.", "jdk.", "sun."};

  private static final String[] HOST = {"org.robolectric.", "dev.retap.agent."};

  private static final String[] FRAMEWORK = {
    "android.", "com.android.internal.", "dalvik.", "libcore."
  };

  /** Packages of libraries whose names look like the framework's. */
  private static final Pattern LIBRARY =
      Pattern.compile("android[./](support|arch|databinding)[./].*");

  /** Classes that a phone has beside the framework's and that this host lacks. */
  private static final Pattern OF_PHONE =
      Pattern.compile(
          "(dalvik|libcore|android[./]test|com[./]android|com[./]google[./]android[./]maps"
              + "|org[./]apache[./]harmony|org[./]apache[./]http|junit)[./].*");

  private CodeOrigin() {}

  /** Returns the class that threw the exception, without code that only passed the call on. */
  static String thrower(Throwable thrown) {
    for (StackTraceElement frame : thrown.getStackTrace()) {
      if (!isTransparent(frame.getClassName())) {
        return frame.getClassName();
      }
    }
    return "";
  }

  static boolean isOfJdk(String type) {
    return startsWithAny(type, JDK);
  }

  static boolean isTransparent(String type) {
    return startsWithAny(type, TRANSPARENT);
  }

  static boolean isHost(String type) {
    return startsWithAny(type, HOST);
  }

  static boolean isFramework(String type) {
    return startsWithAny(type, FRAMEWORK) && !LIBRARY.matcher(type).matches();
  }

  /**
   * Returns true for a class that a phone has and this host lacks. The framework itself is complete
   * at each level, so any other class is missing on a phone too.
   */
  static boolean isOfPhone(String type) {
    return OF_PHONE.matcher(type).matches();
  }

  /** Returns the member that a linkage error names: {@code 'void android.view.View.x(long)'}. */
  static String member(String message) {
    String member = message.replaceFirst("(?s)\\(.*", "");
    return member.substring(member.lastIndexOf(' ') + 1).replace("'", "");
  }

  /** Returns true for a member of the JDK. A phone may have one that this host lacks. */
  static boolean isLibcore(String member) {
    return member.matches("(java|javax|dalvik|libcore|sun)\\..*");
  }

  static boolean namesHost(String text) {
    return text.contains("org.robolectric.")
        || text.contains("org/robolectric/")
        || text.contains("dev.retap.agent.")
        || text.contains("dev/retap/agent/");
  }

  private static boolean startsWithAny(String type, String[] prefixes) {
    for (String prefix : prefixes) {
      if (type.startsWith(prefix)) {
        return true;
      }
    }
    return false;
  }
}
