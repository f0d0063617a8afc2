// Runtime permissions: what the app was granted, told to everyone who answers for it. Apps built
// before API 23 got everything when they were installed.
package dev.retap.agent.device;

import android.content.Intent;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowPackageManager;

final class Permissions {
  private static final String PREFIX = "android.permission.";

  /** What the dialog says a dangerous permission is for; equal words are one group. */
  private static final Map<String, String> PURPOSES = new TreeMap<>();

  static {
    purpose("access your calendar", "READ_CALENDAR", "WRITE_CALENDAR");
    purpose("take pictures and record video", "CAMERA");
    purpose("access your contacts", "READ_CONTACTS", "WRITE_CONTACTS", "GET_ACCOUNTS");
    purpose("access this device's location", "ACCESS_FINE_LOCATION", "ACCESS_COARSE_LOCATION",
        "ACCESS_BACKGROUND_LOCATION");
    purpose("record audio", "RECORD_AUDIO");
    purpose("make and manage phone calls", "READ_PHONE_STATE", "READ_PHONE_NUMBERS", "CALL_PHONE",
        "ANSWER_PHONE_CALLS", "USE_SIP", "ACCEPT_HANDOVER");
    purpose("access your phone call logs", "READ_CALL_LOG", "WRITE_CALL_LOG",
        "PROCESS_OUTGOING_CALLS");
    purpose("access sensor data about your vital signs", "BODY_SENSORS");
    purpose("access your physical activity", "ACTIVITY_RECOGNITION");
    purpose("send and view SMS messages", "SEND_SMS", "RECEIVE_SMS", "READ_SMS",
        "RECEIVE_WAP_PUSH", "RECEIVE_MMS");
    purpose("access photos, media, and files on your device", "READ_EXTERNAL_STORAGE",
        "WRITE_EXTERNAL_STORAGE");
    purpose("access photos and videos on this device", "READ_MEDIA_IMAGES", "READ_MEDIA_VIDEO",
        "ACCESS_MEDIA_LOCATION");
    purpose("access music and audio on this device", "READ_MEDIA_AUDIO");
    purpose("find, connect to, and determine the relative position of nearby devices",
        "BLUETOOTH_SCAN", "BLUETOOTH_CONNECT", "BLUETOOTH_ADVERTISE", "UWB_RANGING",
        "NEARBY_WIFI_DEVICES");
    purpose("send you notifications", "POST_NOTIFICATIONS");
  }

  private final Components components;
  private final File file;
  private final Set<String> requested = new LinkedHashSet<>();
  private final Set<String> granted = new LinkedHashSet<>();

  /** @param file what an earlier process of the same app was granted, one name a line */
  Permissions(Components components, File file) {
    this.components = components;
    this.file = file;
    List<String> earlier = earlier();
    boolean atInstall = components.context().getApplicationInfo().targetSdkVersion < 23;
    PackageInfo info = packages().getInternalMutablePackageInfo(components.packageName());
    if (info.requestedPermissions != null) {
      requested.addAll(Arrays.asList(info.requestedPermissions));
    }
    for (String permission : requested) {
      if (atInstall || !PURPOSES.containsKey(permission) || earlier.contains(permission)) {
        granted.add(permission);
      }
    }
    tell();
  }

  void serve(BinderStub stub) {
    stub.on("checkPermission", this::check)
        .on("checkPermissionForDevice", this::check);
  }

  /** Services differ in whether package or permission is named first. */
  private Object check(BinderCall call) {
    return Math.max(check(call.first(String.class)), check(call.nth(String.class, 1)));
  }

  /** The purposes the user must be asked about before these can be answered, each once. */
  List<String> questions(String[] permissions) {
    Set<String> questions = new LinkedHashSet<>();
    for (String permission : permissions) {
      if (requested.contains(permission) && !granted.contains(permission)) {
        if (sameGroupGranted(permission)) {
          granted.add(permission);
        } else {
          questions.add(PURPOSES.get(permission));
        }
      }
    }
    tell();
    return new ArrayList<>(questions);
  }

  void answer(String[] permissions, String question, boolean allow) {
    for (String permission : permissions) {
      if (question.equals(PURPOSES.get(permission)) && requested.contains(permission)) {
        if (allow) {
          granted.add(permission);
        }
        packages().setShouldShowRequestPermissionRationale(permission, !allow);
      }
    }
    tell();
    keep();
  }

  /** The result the framework's Activity.requestPermissions waits for. */
  Intent result(String[] permissions) {
    int[] results = Arrays.stream(permissions).mapToInt(this::check).toArray();
    return new Intent("android.content.pm.action.REQUEST_PERMISSIONS")
        .putExtra("android.content.pm.extra.REQUEST_PERMISSIONS_NAMES", permissions)
        .putExtra("android.content.pm.extra.REQUEST_PERMISSIONS_RESULTS", results);
  }

  static String[] asked(Intent intent) {
    String[] names =
        intent.getStringArrayExtra("android.content.pm.extra.REQUEST_PERMISSIONS_NAMES");
    return names == null ? new String[0] : names;
  }

  private int check(String permission) {
    return granted.contains(permission)
        ? PackageManager.PERMISSION_GRANTED
        : PackageManager.PERMISSION_DENIED;
  }

  private boolean sameGroupGranted(String permission) {
    String purpose = PURPOSES.get(permission);
    return granted.stream().anyMatch(other -> purpose.equals(PURPOSES.get(other)));
  }

  /** The host's package manager keeps flags of its own. */
  private void tell() {
    PackageInfo info = packages().getInternalMutablePackageInfo(components.packageName());
    if (info.requestedPermissions == null) {
      return;
    }
    int[] flags = new int[info.requestedPermissions.length];
    for (int i = 0; i < flags.length; i++) {
      flags[i] =
          granted.contains(info.requestedPermissions[i])
              ? PackageInfo.REQUESTED_PERMISSION_GRANTED
              : 0;
    }
    info.requestedPermissionsFlags = flags;
  }

  private List<String> earlier() {
    try {
      return file.exists() ? Files.readAllLines(file.toPath()) : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException("permissions", e);
    }
  }

  private void keep() {
    try {
      file.getParentFile().mkdirs();
      Files.write(file.toPath(), granted);
    } catch (IOException e) {
      throw new UncheckedIOException("permissions", e);
    }
  }

  private ShadowPackageManager packages() {
    return Shadow.extract(components.context().getPackageManager());
  }

  private static void purpose(String words, String... permissions) {
    for (String permission : permissions) {
      PURPOSES.put(PREFIX + permission, words);
    }
  }
}
