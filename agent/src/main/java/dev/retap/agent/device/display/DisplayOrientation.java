// The orientation of the display: as the activity in front requests it, or else as the user
// holds the phone.
package dev.retap.agent.device.display;

import android.content.pm.ActivityInfo;
import android.content.res.Configuration;
import android.content.res.Resources;
import dev.retap.agent.device.robolectric.DeviceConfiguration;
import dev.retap.agent.wire.Install;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;

public final class DisplayOrientation {
  private final Install install;
  private final File turnedFile;
  private boolean isHeldLandscape;

  /**
   * @param turnedFile exists while the phone is held the other way; outlives the app's process
   */
  public DisplayOrientation(Install install, File turnedFile) {
    this.install = install;
    this.turnedFile = turnedFile;
    isHeldLandscape = isNaturallyLandscape() != turnedFile.exists();
  }

  /** Returns true if the display is turned to landscape now. */
  public static boolean isLandscape() {
    return Resources.getSystem().getConfiguration().orientation
        == Configuration.ORIENTATION_LANDSCAPE;
  }

  /** Records how the user holds the phone from now on. */
  public void hold(boolean landscape) {
    isHeldLandscape = landscape;
    try {
      if (landscape == isNaturallyLandscape()) {
        Files.deleteIfExists(turnedFile.toPath());
      } else if (!turnedFile.exists()) {
        Files.createDirectories(turnedFile.toPath().getParent());
        Files.createFile(turnedFile.toPath());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("orientation", e);
    }
  }

  /**
   * Turns the display for the visible activities; returns true if it moved.
   *
   * @param requests the orientation that each visible activity requests, lowest activity first
   */
  public boolean follow(List<Integer> requests) {
    boolean landscape = isHeldLandscape;
    for (int i = requests.size() - 1; i >= 0; i--) {
      if (requests.get(i) != ActivityInfo.SCREEN_ORIENTATION_BEHIND) {
        landscape = resolve(requests.get(i));
        break;
      }
    }
    if (landscape == isLandscape()) {
      return false;
    }
    changeConfiguration(landscape ? "land" : "port");
    return true;
  }

  /** Changes the device's configuration by a resource qualifier. */
  public void changeConfiguration(String qualifier) {
    DeviceConfiguration.change(qualifier);
    DisplaySetup.apply(install, isLandscape());
  }

  /** Returns true if the request means landscape. */
  private boolean resolve(int request) {
    return switch (request) {
      case ActivityInfo.SCREEN_ORIENTATION_LANDSCAPE,
              ActivityInfo.SCREEN_ORIENTATION_SENSOR_LANDSCAPE,
              ActivityInfo.SCREEN_ORIENTATION_REVERSE_LANDSCAPE,
              ActivityInfo.SCREEN_ORIENTATION_USER_LANDSCAPE ->
          true;
      case ActivityInfo.SCREEN_ORIENTATION_PORTRAIT,
              ActivityInfo.SCREEN_ORIENTATION_SENSOR_PORTRAIT,
              ActivityInfo.SCREEN_ORIENTATION_REVERSE_PORTRAIT,
              ActivityInfo.SCREEN_ORIENTATION_USER_PORTRAIT ->
          false;
      case ActivityInfo.SCREEN_ORIENTATION_NOSENSOR -> isNaturallyLandscape();
      case ActivityInfo.SCREEN_ORIENTATION_LOCKED -> isLandscape();
      default -> isHeldLandscape;
    };
  }

  private boolean isNaturallyLandscape() {
    return install.width() > install.height();
  }
}
