// Which way the display is turned: as the activity in front asks, else as the user holds it.
package dev.retap.agent.device;

import android.content.pm.ActivityInfo;
import android.content.res.Configuration;
import android.content.res.Resources;
import dev.retap.agent.wire.Install;
import java.util.List;
import org.robolectric.RuntimeEnvironment;

final class Orientation {
  private final Install install;
  private boolean held;

  Orientation(Install install) {
    this.install = install;
    held = install.width() > install.height();
  }

  /** How the user holds the phone from now on. */
  void hold(boolean landscape) {
    held = landscape;
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
      case ActivityInfo.SCREEN_ORIENTATION_NOSENSOR -> install.width() > install.height();
      case ActivityInfo.SCREEN_ORIENTATION_LOCKED -> landscape();
      default -> held;
    };
  }

  private static boolean landscape() {
    return Resources.getSystem().getConfiguration().orientation
        == Configuration.ORIENTATION_LANDSCAPE;
  }
}
