// The folders that an app finds on a phone under well-known names, and where they lie here: below
// the folder that a reset empties.
package dev.retap.agent.device.app;

import dev.retap.agent.world.jdk.PhonePaths;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * @param app the package of the app
 * @param root the folder of this machine that holds them all
 */
public record PhoneFolders(String app, Path root) {
  /** The shared storage, which an app also knows as /sdcard. */
  public static final String SHARED = "/storage/emulated/0";

  /** Creates the folders and makes them known under their names on a phone. */
  void create() {
    // While a table of the same folders is in force, their real paths come back as the phone's.
    PhonePaths.map();
    PhonePaths.map(
        data(),
        host("data"),
        "/data/data/" + app,
        host("data"),
        deviceData(),
        host("device-data"),
        libraries(),
        host("libraries"),
        SHARED,
        host("shared"),
        "/sdcard",
        host("shared"),
        "/mnt/sdcard",
        host("shared"),
        "/storage/self/primary",
        host("shared"),
        "/storage/sdcard0",
        host("shared"),
        "/cache",
        host("cache"),
        "/data/cache",
        host("cache"));
  }

  /** Adds the folders of a second package to those that are known. */
  void createBeside() {
    PhonePaths.mapAlso(
        data(),
        host("data"),
        "/data/data/" + app,
        host("data"),
        deviceData(),
        host("device-data"),
        libraries(),
        host("libraries"));
  }

  /** Returns the folder of the app's own files. */
  String data() {
    return "/data/user/0/" + app;
  }

  /** Returns the folder of the files that can be read before the user unlocks the phone. */
  String deviceData() {
    return "/data/user_de/0/" + app;
  }

  String libraries() {
    return "/data/app/" + app + "-1/lib";
  }

  private String host(String name) {
    try {
      // The kernel gives real paths back, so the table must have them.
      return Files.createDirectories(root.resolve(name)).toRealPath().toString();
    } catch (IOException e) {
      throw new UncheckedIOException("the folder " + name + " of the phone", e);
    }
  }
}
