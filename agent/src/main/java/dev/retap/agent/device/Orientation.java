// Which way the display is turned: as the activity in front asks, else as the user holds it.
package dev.retap.agent.device;

import android.content.pm.ActivityInfo;
import android.content.res.Configuration;
import android.content.res.Resources;
import android.hardware.display.DisplayManagerGlobal;
import android.util.DisplayMetrics;
import android.view.Display;
import dev.retap.agent.wire.Install;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.android.Bootstrap;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowDisplayManager;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

final class Orientation {
  private final Install install;
  private final File turned;
  private boolean held;

  /** @param turned exists while the phone is held the other way; outlives the app's process */
  Orientation(Install install, File turned) {
    this.install = install;
    this.turned = turned;
    held = wideByNature() != turned.exists();
  }

  /** How the user holds the phone from now on. */
  void hold(boolean landscape) {
    held = landscape;
    try {
      if (held == wideByNature()) {
        Files.deleteIfExists(turned.toPath());
      } else if (!turned.exists()) {
        Files.createDirectories(turned.toPath().getParent());
        Files.createFile(turned.toPath());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("orientation", e);
    }
  }

  /** Whether the display is wider than high when the phone lies as it was made. */
  private boolean wideByNature() {
    return install.width() > install.height();
  }

  /** Turns the display for the visible activities, lowest first; says whether it moved. */
  boolean follow(List<ActivityRecord> visible) {
    boolean wanted = held;
    for (int i = visible.size() - 1; i >= 0; i--) {
      int request = visible.get(i).requestedOrientation;
      if (request != ActivityInfo.SCREEN_ORIENTATION_BEHIND) {
        wanted = answer(request);
        break;
      }
    }
    if (wanted == landscape()) {
      return false;
    }
    qualify(wanted ? "land" : "port");
    return true;
  }

  /**
   * Changes the device's configuration by a resource qualifier: what RuntimeEnvironment.setQualifiers
   * does, but that one waits for the main looper to be idle, which some apps never let it be.
   */
  void qualify(String qualifier) {
    String change = "+" + qualifier;
    Object display =
        ReflectionHelpers.callStaticMethod(
            ShadowDisplayManager.class, "createDisplayInfo",
            ClassParameter.from(String.class, change),
            ClassParameter.from(Integer.class, Display.DEFAULT_DISPLAY));
    ByType.call(
        Shadow.extract(DisplayManagerGlobal.getInstance()), "changeDisplay",
        Display.DEFAULT_DISPLAY, display);
    Configuration configuration = new Configuration(Resources.getSystem().getConfiguration());
    DisplayMetrics metrics = new DisplayMetrics();
    metrics.setTo(Resources.getSystem().getDisplayMetrics());
    Bootstrap.applyQualifiers(change, RuntimeEnvironment.getApiLevel(), configuration, metrics);
    ByType.callStatic(RuntimeEnvironment.class, "updateConfiguration", configuration, metrics);
    Screen.setUp(install, landscape());
  }

  private boolean answer(int request) {
    return switch (request) {
      case ActivityInfo.SCREEN_ORIENTATION_LANDSCAPE,
          ActivityInfo.SCREEN_ORIENTATION_SENSOR_LANDSCAPE,
          ActivityInfo.SCREEN_ORIENTATION_REVERSE_LANDSCAPE,
          ActivityInfo.SCREEN_ORIENTATION_USER_LANDSCAPE -> true;
      case ActivityInfo.SCREEN_ORIENTATION_PORTRAIT,
          ActivityInfo.SCREEN_ORIENTATION_SENSOR_PORTRAIT,
          ActivityInfo.SCREEN_ORIENTATION_REVERSE_PORTRAIT,
          ActivityInfo.SCREEN_ORIENTATION_USER_PORTRAIT -> false;
      case ActivityInfo.SCREEN_ORIENTATION_NOSENSOR -> wideByNature();
      case ActivityInfo.SCREEN_ORIENTATION_LOCKED -> landscape();
      default -> held;
    };
  }

  private static boolean landscape() {
    return Resources.getSystem().getConfiguration().orientation
        == Configuration.ORIENTATION_LANDSCAPE;
  }
}
