// `pm`: what is installed, and what it may do.
package dev.retap.agent.device.instrument.shell;

import android.content.pm.ApplicationInfo;
import android.content.pm.InstrumentationInfo;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.content.pm.PackageManager.NameNotFoundException;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.robolectric.RuntimeEnvironment;

final class PackageCommands {
  private final PhoneControl phone;
  private final ServiceDumps dumps;

  PackageCommands(PhoneControl phone, ServiceDumps dumps) {
    this.phone = phone;
    this.dumps = dumps;
  }

  ShellAnswer run(List<String> words) {
    String last = words.get(words.size() - 1);
    return switch (words.get(0)) {
      case "list" -> list(words.get(1), words.subList(2, words.size()));
      case "path" -> path(last);
      case "dump" -> dumps.run(List.of("package", last));
      case "grant" -> permit(words.get(words.size() - 2), last, true);
      case "revoke" -> permit(words.get(words.size() - 2), last, false);
      default -> ShellAnswer.complain("Unknown command: " + words.get(0));
    };
  }

  private static ShellAnswer list(String what, List<String> rest) {
    return switch (what) {
      case "packages" -> packages(rest);
      case "users" -> ShellAnswer.of("Users:\n\tUserInfo{0:Owner:c13} running\n");
      case "instrumentation" -> instrumentations();
      default -> ShellAnswer.complain("Error: unknown list type '" + what + "'");
    };
  }

  private static ShellAnswer packages(List<String> rest) {
    String filter = "";
    for (String word : rest) {
      filter = word.startsWith("-") ? filter : word;
    }
    TreeSet<String> lines = new TreeSet<>();
    for (PackageInfo info : manager().getInstalledPackages(0)) {
      ApplicationInfo app = info.applicationInfo;
      boolean isSystem = app != null && (app.flags & ApplicationInfo.FLAG_SYSTEM) != 0;
      boolean isLeftOut =
          rest.contains("-d")
              || rest.contains("-3") && isSystem
              || rest.contains("-s") && !isSystem;
      if (!isLeftOut && info.packageName.contains(filter)) {
        boolean namesFile = rest.contains("-f") && app != null;
        lines.add("package:" + (namesFile ? app.sourceDir + "=" : "") + info.packageName + "\n");
      }
    }
    return ShellAnswer.of(String.join("", lines));
  }

  private static ShellAnswer instrumentations() {
    StringBuilder text = new StringBuilder();
    for (InstrumentationInfo info : manager().queryInstrumentation(null, 0)) {
      text.append("instrumentation:" + info.packageName + "/" + info.name);
      text.append(" (target=" + info.targetPackage + ")\n");
    }
    return ShellAnswer.of(text.toString());
  }

  private static ShellAnswer path(String packageName) {
    PackageInfo info = find(packageName);
    return info == null
        ? ShellAnswer.NOTHING
        : ShellAnswer.of("package:" + info.applicationInfo.sourceDir + "\n");
  }

  private ShellAnswer permit(String packageName, String permission, boolean grants) {
    PackageInfo info = find(packageName);
    if (info == null) {
      return ShellAnswer.complain(
          "java.lang.IllegalArgumentException: Unknown package: " + packageName);
    }
    String[] requested = info.requestedPermissions;
    if (requested == null || !Arrays.asList(requested).contains(permission)) {
      return ShellAnswer.complain(
          "java.lang.SecurityException: Package "
              + packageName
              + " has not requested permission "
              + permission);
    }
    phone.grant().apply(permission, grants);
    return ShellAnswer.NOTHING;
  }

  /** Returns a package with the permissions that it requests, or null if it is not installed. */
  static PackageInfo find(String packageName) {
    try {
      return manager().getPackageInfo(packageName, PackageManager.GET_PERMISSIONS);
    } catch (NameNotFoundException e) {
      return null;
    }
  }

  private static PackageManager manager() {
    return RuntimeEnvironment.getApplication().getPackageManager();
  }
}
