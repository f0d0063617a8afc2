// The apps of a stock phone without Google's, in the notation of {@link OutsideApp}.
package dev.retap.agent.device.outside;

import android.content.Intent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

public final class StockApps {
  static final String PERMISSIONS = "com.android.permissioncontroller";
  static final String PERMISSIONS_APP =
      PERMISSIONS + "=android.content.pm.action.REQUEST_PERMISSIONS";
  static final String CHOOSER = "com.android.intentresolver";

  static final List<String> APPS =
      List.of(
          "com.android.browser=android.intent.action.VIEW;http,https,about,javascript;",
          "com.android.browser=android.intent.action.WEB_SEARCH,android.intent.action.SEARCH",
          "com.android.dialer=android.intent.action.DIAL,android.intent.action.CALL,"
              + "android.intent.action.VIEW;tel,voicemail;",
          "com.android.dialer=android.intent.action.DIAL,android.intent.action.CALL_BUTTON",
          "com.android.dialer=android.intent.action.VIEW;;vnd.android.cursor.dir/calls",
          "com.android.messaging=android.intent.action.SENDTO,android.intent.action.VIEW;"
              + "sms,smsto,mms,mmsto;",
          "com.android.messaging=android.intent.action.VIEW;;vnd.android-dir/mms-sms",
          "com.android.email=android.intent.action.SENDTO,android.intent.action.VIEW,"
              + "android.intent.action.SEND;mailto;",
          contacts(
              "vnd.android.cursor.dir/contact,vnd.android.cursor.item/contact,"
                  + "vnd.android.cursor.dir/person,vnd.android.cursor.item/person,"
                  + "vnd.android.cursor.dir/phone,vnd.android.cursor.item/phone,"
                  + "vnd.android.cursor.dir/phone_v2,vnd.android.cursor.item/phone_v2,"
                  + "vnd.android.cursor.dir/email_v2,vnd.android.cursor.item/email_v2,"
                  + "vnd.android.cursor.dir/postal-address_v2,vnd.android.cursor.item/postal-address_v2,"
                  + "vnd.android.cursor.dir/postal-address,vnd.android.cursor.item/postal-address,"
                  + "vnd.android.cursor.dir/raw_contact,"
                  + "vnd.android.cursor.item/raw_contact"),
          "com.android.calendar=android.intent.action.INSERT,android.intent.action.EDIT,"
              + "android.intent.action.VIEW,android.intent.action.PICK;;"
              + "vnd.android.cursor.dir/event,vnd.android.cursor.item/event,time/epoch",
          "com.android.camera2=android.media.action.*",
          "com.android.gallery3d=android.intent.action.PICK,android.intent.action.VIEW,"
              + "android.intent.action.GET_CONTENT;;image/*,video/*,vnd.android.cursor.dir/image,"
              + "vnd.android.cursor.dir/video",
          "com.android.music=android.intent.action.PICK,android.intent.action.VIEW;;audio/*,"
              + "vnd.android.cursor.dir/audio",
          "com.android.soundpicker=android.intent.action.RINGTONE_PICKER",
          "com.android.documentsui=android.intent.action.GET_CONTENT,"
              + "android.intent.action.OPEN_DOCUMENT,android.intent.action.CREATE_DOCUMENT;;*/*,"
              + "image/*,video/*,audio/*,text/*,application/*,font/*",
          "com.android.documentsui=android.intent.action.OPEN_DOCUMENT_TREE,"
              + "android.intent.action.VIEW_DOWNLOADS",
          "com.android.providers.media.module=android.provider.action.PICK_IMAGES",
          "com.android.deskclock=android.intent.action.SET_ALARM,android.intent.action.SET_TIMER,"
              + "android.intent.action.SHOW_ALARMS,android.intent.action.SHOW_TIMERS",
          CHOOSER
              + "=android.intent.action.CHOOSER,android.intent.action.SEND,"
              + "android.intent.action.SEND_MULTIPLE",
          "com.android.packageinstaller=android.intent.action.DELETE,"
              + "android.intent.action.UNINSTALL_PACKAGE;package;",
          "com.android.packageinstaller=android.intent.action.VIEW,"
              + "android.intent.action.INSTALL_PACKAGE;;application/vnd.android.package-archive",
          "com.android.packageinstaller=android.intent.action.INSTALL_PACKAGE;file,package,content;",
          "com.android.launcher3=android.intent.action.SET_WALLPAPER",
          "com.android.settings=android.settings.*",
          "com.android.settings=android.settings.APPLICATION_DETAILS_SETTINGS,"
              + "android.settings.APP_NOTIFICATION_SETTINGS,"
              + "android.settings.action.MANAGE_OVERLAY_PERMISSION,"
              + "android.settings.action.MANAGE_WRITE_SETTINGS,"
              + "android.settings.MANAGE_UNKNOWN_APP_SOURCES,"
              + "android.settings.REQUEST_IGNORE_BATTERY_OPTIMIZATIONS,"
              + "android.settings.REQUEST_SCHEDULE_EXACT_ALARM,"
              + "android.settings.MANAGE_APP_ALL_FILES_ACCESS_PERMISSION,"
              + "android.settings.IGNORE_BACKGROUND_DATA_RESTRICTIONS_SETTINGS;package;",
          "com.android.settings=android.bluetooth.adapter.action.REQUEST_ENABLE,"
              + "android.bluetooth.adapter.action.REQUEST_DISCOVERABLE,"
              + "android.app.action.ADD_DEVICE_ADMIN,android.app.action.SET_NEW_PASSWORD,"
              + "android.intent.action.MANAGE_NETWORK_USAGE,android.intent.action.PICK_ACTIVITY,"
              + "android.speech.tts.engine.INSTALL_TTS_DATA");

  /** The app behind each category of ACTION_MAIN that stands for a kind of app. */
  static final Map<String, String> MAIN_CATEGORIES =
      Map.of(
          Intent.CATEGORY_HOME, "com.android.launcher3",
          Intent.CATEGORY_APP_BROWSER, "com.android.browser",
          Intent.CATEGORY_APP_CALENDAR, "com.android.calendar",
          Intent.CATEGORY_APP_CONTACTS, "com.android.contacts",
          Intent.CATEGORY_APP_EMAIL, "com.android.email",
          Intent.CATEGORY_APP_GALLERY, "com.android.gallery3d",
          Intent.CATEGORY_APP_MESSAGING, "com.android.messaging",
          Intent.CATEGORY_APP_MUSIC, "com.android.music");

  /** Apps with an icon in the launcher. */
  static final List<String> LAUNCHED =
      List.of(
          "com.android.browser",
          "com.android.calendar",
          "com.android.camera2",
          "com.android.contacts",
          "com.android.deskclock",
          "com.android.dialer",
          "com.android.documentsui",
          "com.android.email",
          "com.android.gallery3d",
          "com.android.messaging",
          "com.android.music",
          "com.android.settings");

  /** Screens that apps start by the name of their class, without the package. */
  static final Map<String, List<String>> NAMED_SCREENS =
      Map.of(
          "com.android.settings",
          List.of(
              ".Settings",
              ".Settings$AccessibilitySettingsActivity",
              ".Settings$BluetoothSettingsActivity",
              ".Settings$DataUsageSummaryActivity",
              ".Settings$DevelopmentSettingsActivity",
              ".Settings$LocationSettingsActivity",
              ".Settings$ManageApplicationsActivity",
              ".Settings$NotificationAccessSettingsActivity",
              ".Settings$PowerUsageSummaryActivity",
              ".Settings$SecuritySettingsActivity",
              ".Settings$TetherSettingsActivity",
              ".Settings$WifiSettingsActivity",
              ".Settings$WirelessSettingsActivity",
              ".SubSettings",
              ".TetherSettings",
              ".applications.InstalledAppDetails",
              ".wifi.WifiSettings"),
          "com.android.calendar",
          List.of(".AllInOneActivity", ".LaunchActivity", ".EditEvent"));

  private StockApps() {}

  /**
   * Returns the apps of a stock phone after these changes, made in order.
   *
   * @param changes {@code none} removes all apps, {@code -package} removes one, anything else adds
   *     one
   */
  static List<OutsideApp> with(List<String> changes) {
    List<OutsideApp> apps = new ArrayList<>();
    APPS.forEach(app -> apps.add(OutsideApp.parse(app)));
    for (String change : changes) {
      if (change.equals("none")) {
        apps.clear();
      } else if (change.startsWith("-")) {
        apps.removeIf(app -> app.name().equals(change.substring(1)));
      } else {
        apps.add(OutsideApp.parse(change));
      }
    }
    return apps;
  }

  private static String contacts(String types) {
    return "com.android.contacts=android.intent.action.PICK,android.intent.action.GET_CONTENT,"
        + "android.intent.action.VIEW,android.intent.action.INSERT,android.intent.action.EDIT,"
        + "android.intent.action.INSERT_OR_EDIT;;"
        + types;
  }
}
