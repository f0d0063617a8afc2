// The state of a new phone where the host's stand-in services start differently: storage is
// mounted, and the battery known.
package dev.retap.agent.device.system.service;

import android.app.AppOpsManager;
import android.content.ComponentName;
import android.content.Context;
import android.content.res.Configuration;
import android.os.Environment;
import android.os.Process;
import android.provider.Settings;
import android.view.inputmethod.InputMethodInfo;
import android.view.inputmethod.InputMethodSubtype.InputMethodSubtypeBuilder;
import dev.retap.agent.device.app.PhoneFolders;
import dev.retap.agent.device.reflect.FrameworkCalls;
import java.io.File;
import java.util.List;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowAppOpsManager;
import org.robolectric.shadows.ShadowEnvironment;
import org.robolectric.shadows.ShadowInputMethodManager;
import org.robolectric.shadows.ShadowStorageManager;
import org.robolectric.shadows.ShadowUIModeManager;
import org.robolectric.shadows.StorageVolumeBuilder;

public final class InitialDeviceState {
  private static final int FIRST_WITH_VOLUMES = 24;
  private static final String ANDROID_ID = "9774d56d682e549c";

  /** The folders of a new phone's shared storage. */
  private static final List<String> FOLDERS =
      List.of(
          "Alarms",
          "Android/data",
          "Android/media",
          "Android/obb",
          "DCIM",
          "Documents",
          "Download",
          "Movies",
          "Music",
          "Notifications",
          "Pictures",
          "Podcasts",
          "Ringtones");

  private static final List<String> SPECIAL_ACCESS =
      List.of(
          "android:get_usage_stats",
          "android:manage_external_storage",
          "android:request_install_packages",
          "android:write_settings");

  private static final String KEYBOARD = "com.android.inputmethod.latin/.LatinIME";

  private InitialDeviceState() {}

  /** Sets the state. */
  public static void apply(Context context) {
    File card = new File(PhoneFolders.SHARED);
    for (String folder : FOLDERS) {
      new File(card, folder).mkdirs();
    }
    ShadowEnvironment.setExternalStorageState(Environment.MEDIA_MOUNTED);
    ShadowEnvironment.setExternalStorageDirectory(card.toPath());
    ShadowEnvironment.setIsExternalStorageEmulated(true);
    addVolume(context, card);
    Settings.Secure.putString(context.getContentResolver(), "android_id", ANDROID_ID);
    Settings.Secure.putInt(context.getContentResolver(), "adb_enabled", 0);
    Settings.Global.putInt(context.getContentResolver(), Settings.Global.ADB_ENABLED, 0);
    Settings.System.putInt(context.getContentResolver(), Settings.System.SCREEN_BRIGHTNESS, 102);
    installKeyboard(context);
    denySpecialAccess(context);
    ShadowUIModeManager mode = Shadow.extract(context.getSystemService(Context.UI_MODE_SERVICE));
    mode.currentModeType = Configuration.UI_MODE_TYPE_NORMAL;
  }

  private static void installKeyboard(Context context) {
    Settings.Secure.putString(
        context.getContentResolver(), Settings.Secure.DEFAULT_INPUT_METHOD, KEYBOARD);
    Settings.Secure.putString(
        context.getContentResolver(), Settings.Secure.ENABLED_INPUT_METHODS, KEYBOARD);
    ComponentName name = ComponentName.unflattenFromString(KEYBOARD);
    List<InputMethodInfo> all =
        List.of(
            new InputMethodInfo(
                name.getPackageName(), name.getClassName(), "Android Keyboard (AOSP)", null));
    ShadowInputMethodManager manager =
        Shadow.extract(context.getSystemService(Context.INPUT_METHOD_SERVICE));
    manager.setInputMethodInfoList(all);
    manager.setEnabledInputMethodInfoList(all);
    manager.setCurrentInputMethodSubtype(
        new InputMethodSubtypeBuilder()
            .setSubtypeLocale("en_US")
            .setSubtypeMode("keyboard")
            .setIsAsciiCapable(true)
            .build());
  }

  /** Denies access that only the settings grant; the host allows it by default. */
  private static void denySpecialAccess(Context context) {
    AppOpsManager operations = (AppOpsManager) context.getSystemService(Context.APP_OPS_SERVICE);
    ShadowAppOpsManager access = Shadow.extract(operations);
    for (String operation : SPECIAL_ACCESS) {
      if (isKnown(operation)) {
        access.setMode(
            operation, Process.myUid(), context.getPackageName(), AppOpsManager.MODE_DEFAULT);
      }
    }
  }

  private static boolean isKnown(String operation) {
    try {
      FrameworkCalls.callStatic(AppOpsManager.class, "strOpToOp", operation);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static void addVolume(Context context, File card) {
    if (RuntimeEnvironment.getApiLevel() < FIRST_WITH_VOLUMES) {
      return;
    }
    ShadowStorageManager storage =
        Shadow.extract(context.getSystemService(Context.STORAGE_SERVICE));
    storage.addStorageVolume(
        new StorageVolumeBuilder(
                "emulated;0",
                card,
                "Internal shared storage",
                Process.myUserHandle(),
                Environment.MEDIA_MOUNTED)
            .setIsPrimary(true)
            .setIsEmulated(true)
            .build());
  }
}
