// Runtime permissions: what the user granted to the app, for all services that answer questions
// about it. Apps built before API 23 got every permission when they were installed.
package dev.retap.agent.device.system.packages;

import android.content.Context;
import android.content.Intent;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.os.Process;
import dev.retap.agent.device.binder.BinderCall;
import dev.retap.agent.device.binder.BinderStub;
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
import org.robolectric.RuntimeEnvironment;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowPackageManager;
import org.robolectric.shadows.ShadowTelephonyManager;

public final class RuntimePermissions {
  private static final int ROOT = 0;
  private static final String PREFIX = "android.permission.";
  private static final int FIRST_WITH_NOTIFICATIONS = 33;

  /**
   * The purpose of each dangerous permission, as the dialog words it; equal words are one group.
   */
  private static final Map<String, String> PURPOSES = new TreeMap<>();

  static {
    describe("access your calendar", "READ_CALENDAR", "WRITE_CALENDAR");
    describe("take pictures and record video", "CAMERA");
    describe("access your contacts", "READ_CONTACTS", "WRITE_CONTACTS", "GET_ACCOUNTS");
    describe(
        "access this device's location",
        "ACCESS_FINE_LOCATION",
        "ACCESS_COARSE_LOCATION",
        "ACCESS_BACKGROUND_LOCATION");
    describe("record audio", "RECORD_AUDIO");
    describe(
        "make and manage phone calls",
        "READ_PHONE_STATE",
        "READ_PHONE_NUMBERS",
        "CALL_PHONE",
        "ANSWER_PHONE_CALLS",
        "USE_SIP",
        "ACCEPT_HANDOVER");
    describe(
        "access your phone call logs", "READ_CALL_LOG", "WRITE_CALL_LOG", "PROCESS_OUTGOING_CALLS");
    describe("access sensor data about your vital signs", "BODY_SENSORS");
    describe("access your physical activity", "ACTIVITY_RECOGNITION");
    describe(
        "send and view SMS messages",
        "SEND_SMS",
        "RECEIVE_SMS",
        "READ_SMS",
        "RECEIVE_WAP_PUSH",
        "RECEIVE_MMS");
    describe(
        "access photos, media, and files on your device",
        "READ_EXTERNAL_STORAGE",
        "WRITE_EXTERNAL_STORAGE");
    describe(
        "access photos and videos on this device",
        "READ_MEDIA_IMAGES",
        "READ_MEDIA_VIDEO",
        "ACCESS_MEDIA_LOCATION");
    describe("access music and audio on this device", "READ_MEDIA_AUDIO");
    describe(
        "find, connect to, and determine the relative position of nearby devices",
        "BLUETOOTH_SCAN",
        "BLUETOOTH_CONNECT",
        "BLUETOOTH_ADVERTISE",
        "UWB_RANGING",
        "NEARBY_WIFI_DEVICES");
    describe("send you notifications", "POST_NOTIFICATIONS");
  }

  private final DeclaredComponents components;
  private final File file;
  private final Set<String> requested = new LinkedHashSet<>();
  private final Set<String> granted = new LinkedHashSet<>();

  /**
   * @param file the permissions that an earlier process of the app was granted, one name per line
   */
  public RuntimePermissions(DeclaredComponents components, File file) {
    this.components = components;
    this.file = file;
    List<String> earlier = load();
    boolean grantedAtInstall = components.context().getApplicationInfo().targetSdkVersion < 23;
    PackageInfo info = packages().getInternalMutablePackageInfo(components.packageName());
    if (info.requestedPermissions != null) {
      requested.addAll(Arrays.asList(info.requestedPermissions));
    }
    for (String permission : requested) {
      boolean isGranted =
          isDangerous(permission)
              ? grantedAtInstall
              : PlatformPermissions.isGivenByDeclaring(permission, grantedAtInstall);
      if (isGranted || earlier.contains(permission)) {
        granted.add(permission);
      }
    }
    updateFlags();
  }

  /** Returns true if the user is asked about this permission. */
  static boolean isDangerous(String permission) {
    return PURPOSES.containsKey(permission);
  }

  /** Returns true if the app declares that it uses this permission. */
  public boolean isRequested(String permission) {
    return requested.contains(permission);
  }

  public boolean isGranted(String permission) {
    return granted.contains(permission);
  }

  /** Returns true if notifications are shown. Apps built before API 33 do not ask for it. */
  public boolean mayNotify() {
    return RuntimeEnvironment.getApiLevel() < FIRST_WITH_NOTIFICATIONS
        || components.targetSdk() < FIRST_WITH_NOTIFICATIONS
        || isGranted(PREFIX + "POST_NOTIFICATIONS");
  }

  public void serve(BinderStub stub) {
    stub.on("checkPermission", this::check).on("checkPermissionForDevice", this::check);
  }

  /** Tries both names, because services differ in the order of package and permission. */
  private Object check(BinderCall call) {
    Integer user = call.nth(int.class, 1);
    if (user != null && user != Process.myUid()) {
      return user == ROOT || user == Process.SYSTEM_UID
          ? PackageManager.PERMISSION_GRANTED
          : PackageManager.PERMISSION_DENIED;
    }
    return Math.max(check(call.first(String.class)), check(call.nth(String.class, 1)));
  }

  /** Returns the purposes that the user must be asked about for these permissions, each once. */
  public List<String> questions(String[] permissions) {
    Set<String> questions = new LinkedHashSet<>();
    for (String permission : permissions) {
      if (requested.contains(permission) && !granted.contains(permission)) {
        if (isGroupGranted(permission)) {
          granted.add(permission);
        } else {
          questions.add(PURPOSES.get(permission));
        }
      }
    }
    updateFlags();
    return new ArrayList<>(questions);
  }

  /** Records the user's answer to one of the {@link #questions}. */
  public void answer(String[] permissions, String question, boolean allow) {
    for (String permission : permissions) {
      if (question.equals(PURPOSES.get(permission)) && requested.contains(permission)) {
        if (allow) {
          granted.add(permission);
        }
        packages().setShouldShowRequestPermissionRationale(permission, !allow);
      }
    }
    updateFlags();
    save();
  }

  /** Grants a permission without asking, or takes it away, as a test's shell does. */
  public void set(String permission, boolean isGranted) {
    if (isGranted) {
      granted.add(permission);
    } else {
      granted.remove(permission);
    }
    updateFlags();
    save();
  }

  /** Returns the result that the framework's Activity.requestPermissions waits for. */
  public Intent result(String[] permissions) {
    int[] results = Arrays.stream(permissions).mapToInt(this::check).toArray();
    return new Intent("android.content.pm.action.REQUEST_PERMISSIONS")
        .putExtra("android.content.pm.extra.REQUEST_PERMISSIONS_NAMES", permissions)
        .putExtra("android.content.pm.extra.REQUEST_PERMISSIONS_RESULTS", results);
  }

  /** Returns the permissions that such an intent asks for. */
  public static String[] asked(Intent intent) {
    String[] names =
        intent.getStringArrayExtra("android.content.pm.extra.REQUEST_PERMISSIONS_NAMES");
    return names == null ? new String[0] : names;
  }

  private int check(String permission) {
    return granted.contains(permission)
        ? PackageManager.PERMISSION_GRANTED
        : PackageManager.PERMISSION_DENIED;
  }

  private boolean isGroupGranted(String permission) {
    String purpose = PURPOSES.get(permission);
    return granted.stream().anyMatch(other -> purpose.equals(PURPOSES.get(other)));
  }

  /** Copies the grants into the flags that the host's package manager keeps. */
  private void updateFlags() {
    Shadow.<ShadowTelephonyManager>extract(
            components.context().getSystemService(Context.TELEPHONY_SERVICE))
        .setReadPhoneStatePermission(granted.contains(PREFIX + "READ_PHONE_STATE"));
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

  private List<String> load() {
    try {
      return file.exists() ? Files.readAllLines(file.toPath()) : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException("permissions", e);
    }
  }

  private void save() {
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

  private static void describe(String purpose, String... permissions) {
    for (String permission : permissions) {
      PURPOSES.put(PREFIX + permission, purpose);
    }
  }
}
