// The commands of the phone's shell that tests run by UiAutomation.executeShellCommand: those that
// change permissions and settings, tell properties, and press, tap or type.
package dev.retap.agent.device.instrument;

import android.content.ContentResolver;
import android.os.ParcelFileDescriptor;
import android.os.SystemClock;
import android.provider.Settings;
import android.view.InputDevice;
import android.view.InputEvent;
import android.view.KeyCharacterMap;
import android.view.KeyEvent;
import android.view.MotionEvent;
import dev.retap.agent.device.instrument.UiAutomationServer.PhoneControl;
import dev.retap.agent.device.reflect.FrameworkCalls;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.robolectric.RuntimeEnvironment;

final class ShellCommands {
  private final PhoneControl phone;

  ShellCommands(PhoneControl phone) {
    this.phone = phone;
  }

  /** Runs a command and writes what it says. */
  void run(String command, ParcelFileDescriptor to) {
    String said = answer(command.trim().split("\\s+"));
    try (FileOutputStream out = new FileOutputStream(to.getFileDescriptor())) {
      out.write(said.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String answer(String[] words) {
    String rest = String.join(" ", Arrays.copyOfRange(words, 1, words.length));
    try {
      return switch (words[0]) {
        case "echo" -> rest + "\n";
        case "getprop" -> property(words[1]) + "\n";
        case "settings" -> settings(words);
        case "pm" -> permission(words);
        case "input" -> input(words);
        default -> missing(words[0]);
      };
    } catch (ArrayIndexOutOfBoundsException | NumberFormatException e) {
      return "Error: bad arguments: " + rest + "\n";
    }
  }

  private static String missing(String program) {
    return "/system/bin/sh: " + program + ": not found\n";
  }

  private static Object property(String name) {
    Class<?> properties = FrameworkCalls.type("android.os.SystemProperties");
    return FrameworkCalls.callStatic(properties, "get", name);
  }

  private String permission(String[] words) {
    boolean grants = words[1].equals("grant");
    if (!grants && !words[1].equals("revoke")) {
      return "Error: unknown command '" + words[1] + "'\n";
    }
    phone.grant().apply(words[3], grants);
    return "";
  }

  private static String settings(String[] words) {
    ContentResolver resolver = RuntimeEnvironment.getApplication().getContentResolver();
    String name = words[3];
    switch (words[1]) {
      case "get":
        return read(resolver, words[2], name) + "\n";
      case "put":
        write(resolver, words[2], name, words[4]);
        return "";
      case "delete":
        write(resolver, words[2], name, null);
        return "Deleted 1 rows\n";
      default:
        return "Invalid command: " + words[1] + "\n";
    }
  }

  private static String read(ContentResolver resolver, String table, String name) {
    return switch (table) {
      case "global" -> Settings.Global.getString(resolver, name);
      case "secure" -> Settings.Secure.getString(resolver, name);
      default -> Settings.System.getString(resolver, name);
    };
  }

  private static void write(ContentResolver resolver, String table, String name, String value) {
    switch (table) {
      case "global" -> Settings.Global.putString(resolver, name, value);
      case "secure" -> Settings.Secure.putString(resolver, name, value);
      default -> Settings.System.putString(resolver, name, value);
    }
  }

  private String input(String[] words) {
    long now = SystemClock.uptimeMillis();
    switch (words[1]) {
      case "keyevent":
        int code = KeyEvent.keyCodeFromString(words[2]);
        inject(new KeyEvent(now, now, KeyEvent.ACTION_DOWN, code, 0));
        inject(new KeyEvent(now, now, KeyEvent.ACTION_UP, code, 0));
        return "";
      case "tap":
        float x = Float.parseFloat(words[2]);
        float y = Float.parseFloat(words[3]);
        inject(touch(now, MotionEvent.ACTION_DOWN, x, y));
        inject(touch(now, MotionEvent.ACTION_UP, x, y));
        return "";
      case "text":
        KeyCharacterMap keys = KeyCharacterMap.load(KeyCharacterMap.VIRTUAL_KEYBOARD);
        KeyEvent[] typed = keys.getEvents(words[2].replace("%s", " ").toCharArray());
        for (KeyEvent key : typed == null ? new KeyEvent[0] : typed) {
          inject(key);
        }
        return "";
      default:
        return "Error: Unknown command: " + words[1] + "\n";
    }
  }

  private static MotionEvent touch(long now, int action, float x, float y) {
    MotionEvent touch = MotionEvent.obtain(now, SystemClock.uptimeMillis(), action, x, y, 0);
    touch.setSource(InputDevice.SOURCE_TOUCHSCREEN);
    return touch;
  }

  private void inject(InputEvent event) {
    phone.input().inject(event, true);
  }
}
