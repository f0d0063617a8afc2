// Which way the display is turned: as the activity in front asks, else as the user holds it.
package dev.retap.agent.device;

import android.content.pm.ActivityInfo;
import android.content.res.Configuration;
import android.content.res.Resources;
import dev.retap.agent.wire.Install;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import org.robolectric.RuntimeEnvironment;

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

  /** Changes the device's configuration by a resource qualifier. */
  void qualify(String qualifier) {
    RuntimeEnvironment.setQualifiers("+" + qualifier);
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
