// The permissions that Android itself declares, as the package manager describes them, and the
// package that declares them.
package dev.retap.agent.device.system.packages;

import android.Manifest;
import android.content.Context;
import android.content.pm.ApplicationInfo;
import android.content.pm.PackageInfo;
import android.content.pm.PermissionGroupInfo;
import android.content.pm.PermissionInfo;
import android.os.Build;
import android.os.Process;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowPackageManager;

public final class PlatformPermissions {
  private static final String ANDROID = "android";
  private static final String PREFIX = "android.permission.";
  private static final String GROUP_PREFIX = "android.permission-group.";

  /** The one permission of Android's name that another app of the phone declares. */
  private static final String OF_DOWNLOADS = PREFIX + "DOWNLOAD_WITHOUT_NOTIFICATION";

  /** Permissions that an app gets by asking for them in its manifest. */
  private static final Set<String> NORMAL =
      Set.of(
          "ACCESS_LOCATION_EXTRA_COMMANDS",
          "ACCESS_NETWORK_STATE",
          "ACCESS_NOTIFICATION_POLICY",
          "ACCESS_WIFI_STATE",
          "BLUETOOTH",
          "BLUETOOTH_ADMIN",
          "BROADCAST_STICKY",
          "CHANGE_NETWORK_STATE",
          "CHANGE_WIFI_MULTICAST_STATE",
          "CHANGE_WIFI_STATE",
          "DISABLE_KEYGUARD",
          "EXPAND_STATUS_BAR",
          "FOREGROUND_SERVICE",
          "GET_PACKAGE_SIZE",
          "INTERNET",
          "KILL_BACKGROUND_PROCESSES",
          "MANAGE_OWN_CALLS",
          "MODIFY_AUDIO_SETTINGS",
          "NFC",
          "QUERY_ALL_PACKAGES",
          "READ_SYNC_SETTINGS",
          "READ_SYNC_STATS",
          "RECEIVE_BOOT_COMPLETED",
          "REORDER_TASKS",
          "REQUEST_DELETE_PACKAGES",
          "REQUEST_IGNORE_BATTERY_OPTIMIZATIONS",
          "SET_WALLPAPER",
          "SET_WALLPAPER_HINTS",
          "TRANSMIT_IR",
          "USE_BIOMETRIC",
          "USE_FINGERPRINT",
          "USE_FULL_SCREEN_INTENT",
          "VIBRATE",
          "WAKE_LOCK",
          "WRITE_SYNC_SETTINGS");

  /** The group of each dangerous permission, by a word in its name; the first that fits counts. */
  private static final Map<String, String> GROUPS = new TreeMap<>();

  static {
    GROUPS.put("CALENDAR", "CALENDAR");
    GROUPS.put("CAMERA", "CAMERA");
    GROUPS.put("CONTACTS", "CONTACTS");
    GROUPS.put("GET_ACCOUNTS", "CONTACTS");
    GROUPS.put("LOCATION", "LOCATION");
    GROUPS.put("RECORD_AUDIO", "MICROPHONE");
    GROUPS.put("SMS", "SMS");
    GROUPS.put("MMS", "SMS");
    GROUPS.put("WAP_PUSH", "SMS");
    GROUPS.put("SENSORS", "SENSORS");
    GROUPS.put("EXTERNAL_STORAGE", "STORAGE");
    GROUPS.put("ACTIVITY_RECOGNITION", "ACTIVITY_RECOGNITION");
  }

  /** What the level's list of permissions says of each. Every process gets copies. */
  private static final List<PermissionInfo> DESCRIBED = new ArrayList<>();

  private PlatformPermissions() {}

  public static void install(Context context) {
    ShadowPackageManager packages = Shadow.extract(context.getPackageManager());
    if (packages.getInternalMutablePackageInfo(ANDROID) == null) {
      packages.installPackage(platform());
    }
    described().forEach(it -> packages.addPermissionInfo(new PermissionInfo(it)));
    PlatformManifest manifest = PlatformManifest.get();
    manifest.permissions().forEach(it -> packages.addPermissionInfo(new PermissionInfo(it)));
    manifest.groups().forEach(it -> packages.addPermissionGroupInfo(new PermissionGroupInfo(it)));
  }

  /**
   * Returns true if an app gets the permission by declaring it. It does not get those that are for
   * the system's own apps, or that the user allows on a screen of the settings.
   *
   * @param isOld true for an app built before API 23, to which some were given then
   */
  static boolean isGivenByDeclaring(String permission, boolean isOld) {
    List<PermissionInfo> declared = PlatformManifest.get().permissions();
    for (PermissionInfo info : declared) {
      if (info.name.equals(permission)) {
        return (info.protectionLevel & PermissionInfo.PROTECTION_MASK_BASE)
                == PermissionInfo.PROTECTION_NORMAL
            || isOld && (info.protectionLevel & PermissionInfo.PROTECTION_FLAG_PRE23) != 0;
      }
    }
    // One of another app; or of another level, which no app gets.
    return declared.isEmpty() || !permission.startsWith(PREFIX) || permission.equals(OF_DOWNLOADS);
  }

  private static synchronized List<PermissionInfo> described() {
    if (DESCRIBED.isEmpty()) {
      for (Field field : Manifest.permission.class.getFields()) {
        if (field.getType() == String.class) {
          DESCRIBED.add(describe(PREFIX + field.getName()));
        }
      }
    }
    return DESCRIBED;
  }

  private static PermissionInfo describe(String name) {
    PermissionInfo info = new PermissionInfo();
    info.name = name;
    info.packageName = ANDROID;
    info.nonLocalizedLabel = name;
    if (RuntimePermissions.isDangerous(name)) {
      info.protectionLevel = PermissionInfo.PROTECTION_DANGEROUS;
      info.group = GROUP_PREFIX + group(name.substring(PREFIX.length()));
    } else {
      info.protectionLevel =
          NORMAL.contains(name.substring(PREFIX.length()))
              ? PermissionInfo.PROTECTION_NORMAL
              : PermissionInfo.PROTECTION_SIGNATURE;
    }
    return info;
  }

  private static String group(String name) {
    return GROUPS.entrySet().stream()
        .filter(entry -> name.contains(entry.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("PHONE");
  }

  private static PackageInfo platform() {
    ApplicationInfo application = new ApplicationInfo();
    application.packageName = ANDROID;
    application.nonLocalizedLabel = "Android System";
    application.processName = "system";
    application.uid = Process.SYSTEM_UID;
    application.sourceDir = "/system/framework/framework-res.apk";
    application.publicSourceDir = application.sourceDir;
    application.dataDir = "/data/system";
    application.targetSdkVersion = Build.VERSION.SDK_INT;
    application.flags = ApplicationInfo.FLAG_SYSTEM | ApplicationInfo.FLAG_INSTALLED;
    PackageInfo info = new PackageInfo();
    info.packageName = ANDROID;
    info.versionName = Build.VERSION.RELEASE;
    info.versionCode = Build.VERSION.SDK_INT;
    info.applicationInfo = application;
    return info;
  }
}
