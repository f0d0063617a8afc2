// Which files of the shared storage an app may reach. An app of old needs the storage permissions.
// One built for API 30 or later needs none, but may only add to the folders that all phones have.
package dev.retap.agent.device.system.packages;

import android.content.pm.ApplicationInfo;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.world.jdk.SharedGuard;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;

public final class SharedStorageRules implements SharedGuard {
  private static final String READ = "android.permission.READ_EXTERNAL_STORAGE";
  private static final String WRITE = "android.permission.WRITE_EXTERNAL_STORAGE";
  private static final int FIRST_WITH_SCOPES = 29;
  private static final int FIRST_WITH_PATHS_IN_SCOPES = 30;

  /** The folders that take files of any type. */
  private static final Set<String> FOR_ALL = Set.of("Download", "Documents");

  /** The folders that take pictures, films and sounds only. */
  private static final Set<String> FOR_MEDIA =
      Set.of(
          "Alarms",
          "Audiobooks",
          "DCIM",
          "Movies",
          "Music",
          "Notifications",
          "Pictures",
          "Podcasts",
          "Recordings",
          "Ringtones");

  private static final List<String> MEDIA_ENDINGS =
      List.of(
          "3gp", "aac", "amr", "bmp", "flac", "gif", "heic", "jpeg", "jpg", "m4a", "mid", "mkv",
          "mov", "mp3", "mp4", "oga", "ogg", "opus", "png", "wav", "webm", "webp");

  private final Predicate<String> granted;
  private final List<String> own;
  private final boolean isScoped;
  private final boolean hasPaths;

  public SharedStorageRules(ApplicationInfo app, Predicate<String> isGranted, int apiLevel) {
    granted = isGranted;
    own =
        List.of(
            "/Android/data/" + app.packageName,
            "/Android/media/" + app.packageName,
            "/Android/obb/" + app.packageName);
    isScoped = apiLevel >= FIRST_WITH_SCOPES && !isLegacy(app);
    hasPaths = apiLevel >= FIRST_WITH_PATHS_IN_SCOPES;
  }

  /** Returns true if the app sees the storage as it was before scopes. */
  private static boolean isLegacy(ApplicationInfo app) {
    return app.targetSdkVersion < FIRST_WITH_SCOPES
        || app.targetSdkVersion == FIRST_WITH_SCOPES
            && (Boolean) FrameworkCalls.call(app, "hasRequestedLegacyExternalStorage");
  }

  @Override
  public boolean mayRead(String path) {
    if (isOwn(path)) {
      return true;
    }
    if (isScoped) {
      return hasPaths && !path.startsWith("/Android/data") && !path.startsWith("/Android/obb");
    }
    return granted.test(READ) || granted.test(WRITE);
  }

  @Override
  public boolean mayWrite(String path) {
    if (isOwn(path)) {
      return true;
    }
    return isScoped ? hasPaths && isInCollection(path) : granted.test(WRITE);
  }

  /** Returns true for the app's own folders, all below them, and the way there. */
  private boolean isOwn(String path) {
    for (String folder : own) {
      if (path.startsWith(folder)
          && (path.length() == folder.length() || path.charAt(folder.length()) == '/')) {
        return true;
      }
    }
    return false;
  }

  private static boolean isInCollection(String path) {
    String[] names = path.split("/");
    if (names.length < 3) {
      // The storage's own folder, or one of the folders in it.
      return false;
    }
    String last = names[names.length - 1];
    String ending = last.substring(last.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return FOR_ALL.contains(names[1])
        || FOR_MEDIA.contains(names[1])
            && (ending.length() == last.length() || MEDIA_ENDINGS.contains(ending));
  }
}
