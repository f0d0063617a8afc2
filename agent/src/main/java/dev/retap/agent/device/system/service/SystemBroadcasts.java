// Broadcasts that only the system sends, with what the system puts into them. One that no phone
// sends to this app, or whose content nobody here can make, is not sent.
package dev.retap.agent.device.system.service;

import android.app.DownloadManager;
import android.appwidget.AppWidgetManager;
import android.bluetooth.BluetoothAdapter;
import android.content.Intent;
import android.content.pm.PackageManager;
import android.media.AudioManager;
import android.net.Uri;
import android.net.wifi.WifiManager;
import android.os.Environment;
import android.os.Process;
import android.telephony.TelephonyManager;
import android.view.KeyEvent;
import dev.retap.agent.device.system.packages.DeclaredComponents;
import java.util.List;
import java.util.Map;
import java.util.Set;

final class SystemBroadcasts {
  /** A permission that the receiver must hold, by action. */
  private static final Map<String, String> PERMISSIONS =
      Map.of(
          "android.provider.Telephony.SMS_RECEIVED",
          "android.permission.RECEIVE_SMS",
          "android.provider.Telephony.SMS_DELIVER",
          "android.permission.RECEIVE_SMS",
          Intent.ACTION_BOOT_COMPLETED,
          "android.permission.RECEIVE_BOOT_COMPLETED",
          Intent.ACTION_NEW_OUTGOING_CALL,
          "android.permission.PROCESS_OUTGOING_CALLS",
          TelephonyManager.ACTION_PHONE_STATE_CHANGED,
          "android.permission.READ_PHONE_STATE",
          BluetoothAdapter.ACTION_STATE_CHANGED,
          "android.permission.BLUETOOTH");

  /** Actions whose content nobody here can make: devices, messages, an administrator's rights. */
  private static final List<String> NEVER_SENT =
      List.of(
          "android.app.action.",
          "android.bluetooth.device.action.",
          "android.hardware.usb.action.",
          "android.nfc.",
          "android.provider.Telephony.WAP_PUSH",
          "com.android.vending.",
          "com.google.android.c2dm.intent.",
          "com.google.android.gms.",
          "com.google.firebase.");

  private static final Set<String> PACKAGE_CHANGES =
      Set.of(
          Intent.ACTION_PACKAGE_ADDED,
          Intent.ACTION_PACKAGE_CHANGED,
          Intent.ACTION_PACKAGE_DATA_CLEARED,
          Intent.ACTION_PACKAGE_FULLY_REMOVED,
          Intent.ACTION_PACKAGE_REMOVED,
          Intent.ACTION_PACKAGE_REPLACED,
          Intent.ACTION_PACKAGE_RESTARTED);

  private static final String OTHER_PACKAGE = "com.android.music";
  private static final String NUMBER = "5550123";

  private final DeclaredComponents components;
  private final Broadcasts broadcasts;
  private final Telephone telephone;

  SystemBroadcasts(DeclaredComponents components, Broadcasts broadcasts, Telephone telephone) {
    this.components = components;
    this.broadcasts = broadcasts;
    this.telephone = telephone;
  }

  /** Sends the broadcast; one that brings nothing gets what the system would put into it. */
  void send(Intent intent) {
    boolean isBare = intent.getExtras() == null && intent.getData() == null;
    Intent complete = isBare ? complete(intent) : intent;
    if (complete != null) {
      broadcasts.send(complete, false);
    }
  }

  /** Returns the broadcast as the system sends it, or null if it does not. */
  private Intent complete(Intent intent) {
    String action = String.valueOf(intent.getAction());
    if (NEVER_SENT.stream().anyMatch(action::startsWith) || !isAllowed(action)) {
      return null;
    }
    Intent known = broadcasts.lastSticky(action);
    if (known != null) {
      return new Intent(known);
    }
    if (PACKAGE_CHANGES.contains(action)) {
      return intent
          .setData(Uri.parse("package:" + OTHER_PACKAGE))
          .putExtra(Intent.EXTRA_UID, Process.FIRST_APPLICATION_UID)
          .putExtra(Intent.EXTRA_REPLACING, action.equals(Intent.ACTION_PACKAGE_REPLACED));
    }
    if (action.startsWith("android.intent.action.MEDIA_") && !isButton(action)) {
      return intent
          .setData(Uri.fromFile(Environment.getExternalStorageDirectory()))
          .putExtra("read-only", false);
    }
    if (action.startsWith("android.appwidget.action.")) {
      return intent
          .putExtra(AppWidgetManager.EXTRA_APPWIDGET_IDS, new int[] {Widgets.ID})
          .putExtra(AppWidgetManager.EXTRA_APPWIDGET_ID, Widgets.ID)
          .putExtra(AppWidgetManager.EXTRA_APPWIDGET_OPTIONS, Widgets.defaultOptions());
    }
    return withExtras(intent, action);
  }

  private Intent withExtras(Intent intent, String action) {
    switch (action) {
      case "android.provider.Telephony.SMS_RECEIVED", "android.provider.Telephony.SMS_DELIVER" ->
          telephone.fill(intent, NUMBER, "Hello");
      case TelephonyManager.ACTION_PHONE_STATE_CHANGED ->
          intent.putExtra(TelephonyManager.EXTRA_STATE, TelephonyManager.EXTRA_STATE_IDLE);
      case Intent.ACTION_NEW_OUTGOING_CALL -> intent.putExtra(Intent.EXTRA_PHONE_NUMBER, NUMBER);
      case Intent.ACTION_MEDIA_BUTTON ->
          intent.putExtra(
              Intent.EXTRA_KEY_EVENT,
              new KeyEvent(KeyEvent.ACTION_DOWN, KeyEvent.KEYCODE_MEDIA_PLAY_PAUSE));
      case Intent.ACTION_HEADSET_PLUG ->
          intent.putExtra("state", 1).putExtra("microphone", 1).putExtra("name", "h2w");
      case Intent.ACTION_TIMEZONE_CHANGED ->
          intent.putExtra("time-zone", java.util.TimeZone.getDefault().getID());
      case DownloadManager.ACTION_DOWNLOAD_COMPLETE ->
          intent.putExtra(DownloadManager.EXTRA_DOWNLOAD_ID, 1L);
      case WifiManager.WIFI_STATE_CHANGED_ACTION ->
          intent
              .putExtra(WifiManager.EXTRA_WIFI_STATE, WifiManager.WIFI_STATE_ENABLED)
              .putExtra(WifiManager.EXTRA_PREVIOUS_WIFI_STATE, WifiManager.WIFI_STATE_ENABLING);
      case WifiManager.SCAN_RESULTS_AVAILABLE_ACTION -> intent.putExtra("resultsUpdated", true);
      case BluetoothAdapter.ACTION_STATE_CHANGED ->
          intent
              .putExtra(BluetoothAdapter.EXTRA_STATE, BluetoothAdapter.STATE_OFF)
              .putExtra(BluetoothAdapter.EXTRA_PREVIOUS_STATE, BluetoothAdapter.STATE_TURNING_OFF);
      case AudioManager.RINGER_MODE_CHANGED_ACTION ->
          intent.putExtra(AudioManager.EXTRA_RINGER_MODE, AudioManager.RINGER_MODE_NORMAL);
      case Intent.ACTION_PROVIDER_CHANGED ->
          intent.setData(Uri.parse("content://com.android.calendar"));
      case Intent.ACTION_AIRPLANE_MODE_CHANGED -> intent.putExtra("state", false);
      default -> {}
    }
    return intent;
  }

  private static boolean isButton(String action) {
    return action.equals(Intent.ACTION_MEDIA_BUTTON);
  }

  private boolean isAllowed(String action) {
    String permission = PERMISSIONS.get(action);
    return permission == null
        || components.context().checkCallingOrSelfPermission(permission)
            == PackageManager.PERMISSION_GRANTED;
  }
}
