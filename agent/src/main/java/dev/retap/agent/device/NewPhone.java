// The state of the host's stand-in services at first start, where it differs from a new phone's:
// storage mounted, battery known, radios off, no camera, media that plays silence.
package dev.retap.agent.device;

import android.content.Context;
import android.content.res.Configuration;
import android.net.wifi.WifiManager;
import android.os.Environment;
import android.provider.Settings;
import java.io.File;
import java.util.ArrayList;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowEnvironment;
import org.robolectric.shadows.ShadowMediaPlayer;
import org.robolectric.shadows.ShadowUIModeManager;
import org.robolectric.shadows.ShadowWifiManager;

final class NewPhone {
  private static final String ANDROID_ID = "9774d56d682e549c";
  private static final int MEDIA_MILLIS = 1_000;

  private NewPhone() {}

  static void setUp(Context context, File storage) {
    File card = new File(storage, "sdcard");
    card.mkdirs();
    ShadowEnvironment.setExternalStorageState(Environment.MEDIA_MOUNTED);
    ShadowEnvironment.setExternalStorageDirectory(card.toPath());
    ShadowMediaPlayer.setMediaInfoProvider(
        source -> new ShadowMediaPlayer.MediaInfo(MEDIA_MILLIS, 0));
    Settings.Secure.putString(context.getContentResolver(), "android_id", ANDROID_ID);
    Settings.Secure.putInt(context.getContentResolver(), "adb_enabled", 0);
    Settings.Global.putInt(context.getContentResolver(), Settings.Global.ADB_ENABLED, 0);
    Settings.System.putInt(
        context.getContentResolver(), Settings.System.SCREEN_BRIGHTNESS, 102);
    ShadowUIModeManager mode = Shadow.extract(context.getSystemService(Context.UI_MODE_SERVICE));
    mode.currentModeType = Configuration.UI_MODE_TYPE_NORMAL;
    WifiManager wifi = (WifiManager) context.getSystemService(Context.WIFI_SERVICE);
    ShadowWifiManager radio = Shadow.extract(wifi);
    radio.setScanResults(new ArrayList<>());
    wifi.setWifiEnabled(false);
  }
}
