// The table of calls that a phone's services refuse to an app without a permission, where nobody
// plays the service that would refuse. The app's classes ask before each of them.
package dev.retap.agent.rewrite;

import java.util.HashMap;
import java.util.Map;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

final class GuardedCalls {
  static final String GUARD = "dev/retap/agent/device/system/packages/CallPermissions";

  /** Permissions by class.method; the descriptor does not matter. */
  private static final Map<String, String> PERMISSIONS = new HashMap<>();

  static {
    add("VIBRATE", "android/os/Vibrator", "vibrate", "cancel");
    add("WAKE_LOCK", "android/os/PowerManager$WakeLock", "acquire");
    add("WAKE_LOCK", "android/net/wifi/WifiManager$WifiLock", "acquire");
    add("CHANGE_WIFI_MULTICAST_STATE", "android/net/wifi/WifiManager$MulticastLock", "acquire");
    add(
        "ACCESS_NETWORK_STATE",
        "android/net/ConnectivityManager",
        "getActiveNetwork",
        "getActiveNetworkInfo",
        "getAllNetworkInfo",
        "getAllNetworks",
        "getLinkProperties",
        "getNetworkCapabilities",
        "getNetworkInfo",
        "isActiveNetworkMetered",
        "registerDefaultNetworkCallback",
        "registerNetworkCallback");
    add(
        "ACCESS_WIFI_STATE",
        "android/net/wifi/WifiManager",
        "getConfiguredNetworks",
        "getConnectionInfo",
        "getDhcpInfo",
        "getScanResults",
        "getWifiState",
        "isWifiEnabled");
    add(
        "CHANGE_WIFI_STATE",
        "android/net/wifi/WifiManager",
        "addNetwork",
        "disconnect",
        "enableNetwork",
        "reconnect",
        "removeNetwork",
        "setWifiEnabled",
        "startScan");
    add(
        "SEND_SMS",
        "android/telephony/SmsManager",
        "sendDataMessage",
        "sendMultipartTextMessage",
        "sendTextMessage");
    add(
        "SEND_SMS",
        "android/telephony/gsm/SmsManager",
        "sendDataMessage",
        "sendMultipartTextMessage",
        "sendTextMessage");
    add(
        "SET_WALLPAPER",
        "android/app/WallpaperManager",
        "clear",
        "setBitmap",
        "setResource",
        "setStream");
    add("KILL_BACKGROUND_PROCESSES", "android/app/ActivityManager", "killBackgroundProcesses");
    add(
        "DISABLE_KEYGUARD",
        "android/app/KeyguardManager$KeyguardLock",
        "disableKeyguard",
        "reenableKeyguard");
    String[] puts = {"putFloat", "putInt", "putLong", "putString"};
    add("WRITE_SECURE_SETTINGS", "android/provider/Settings$Secure", puts);
    add("WRITE_SECURE_SETTINGS", "android/provider/Settings$Global", puts);
    add("WRITE_SETTINGS", "android/provider/Settings$System", puts);
    add("WRITE_SETTINGS", "android/media/RingtoneManager", "setActualDefaultRingtoneUri");
    add("SET_TIME_ZONE", "android/app/AlarmManager", "setTimeZone");
    add(
        "BLUETOOTH",
        "android/bluetooth/BluetoothAdapter",
        "getBondedDevices",
        "getName",
        "getState",
        "isEnabled");
    add(
        "BLUETOOTH_ADMIN",
        "android/bluetooth/BluetoothAdapter",
        "cancelDiscovery",
        "disable",
        "enable",
        "setName",
        "startDiscovery");
  }

  private GuardedCalls() {}

  private static void add(String permission, String owner, String... methods) {
    for (String method : methods) {
      PERMISSIONS.put(owner + "." + method, "android.permission." + permission);
    }
  }

  /** Returns the names of all guarded methods, as class.method. */
  static Iterable<String> methods() {
    return PERMISSIONS.keySet();
  }

  /** Writes the question whether the app has the permission for a call, if it needs one. */
  static void write(MethodVisitor out, String owner, String name) {
    if (owner.startsWith("android/")) {
      String permission = PERMISSIONS.get(owner + "." + name);
      if (permission != null) {
        out.visitLdcInsn(permission);
        out.visitMethodInsn(Opcodes.INVOKESTATIC, GUARD, "check", "(Ljava/lang/String;)V", false);
      }
    }
  }
}
