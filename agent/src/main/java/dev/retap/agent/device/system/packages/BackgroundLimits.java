// The broadcasts that no longer wake an app through its manifest: from Android 8 on, those that
// name no receiver, except a list; from Android 7 on, changes of the network.
package dev.retap.agent.device.system.packages;

import android.content.Intent;
import java.util.Set;

public final class BackgroundLimits {
  private static final Set<String> EXEMPT =
      Set.of(
          Intent.ACTION_BOOT_COMPLETED,
          "android.intent.action.LOCKED_BOOT_COMPLETED",
          Intent.ACTION_LOCALE_CHANGED,
          Intent.ACTION_TIMEZONE_CHANGED,
          Intent.ACTION_TIME_CHANGED,
          Intent.ACTION_MY_PACKAGE_REPLACED,
          "android.intent.action.PHONE_STATE",
          Intent.ACTION_NEW_OUTGOING_CALL,
          "android.provider.Telephony.SMS_RECEIVED",
          "android.provider.Telephony.SMS_DELIVER",
          "android.provider.Telephony.WAP_PUSH_RECEIVED",
          "android.intent.action.SIM_STATE_CHANGED",
          Intent.ACTION_HEADSET_PLUG,
          "android.hardware.usb.action.USB_DEVICE_ATTACHED",
          "android.accounts.LOGIN_ACCOUNTS_CHANGED",
          Intent.ACTION_PACKAGE_DATA_CLEARED,
          Intent.ACTION_MEDIA_MOUNTED,
          Intent.ACTION_MEDIA_EJECT,
          Intent.ACTION_MEDIA_REMOVED);

  private BackgroundLimits() {}

  /** Returns true if a receiver declared in the manifest does not get the broadcast. */
  public static boolean hides(Intent intent, int targetSdk, int apiLevel) {
    if (intent.getComponent() != null || intent.getPackage() != null) {
      return false;
    }
    String action = String.valueOf(intent.getAction());
    if (apiLevel >= 24
        && targetSdk >= 24
        && action.equals("android.net.conn.CONNECTIVITY_CHANGE")) {
      return true;
    }
    return apiLevel >= 26 && targetSdk >= 26 && !EXEMPT.contains(action);
  }
}
