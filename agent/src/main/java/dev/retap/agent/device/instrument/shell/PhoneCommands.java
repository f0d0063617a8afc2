// Commands about the phone itself: its screen, network and time.
package dev.retap.agent.device.instrument.shell;

import android.content.Context;
import android.graphics.Point;
import android.util.DisplayMetrics;
import android.view.Display;
import android.view.WindowManager;
import dev.retap.agent.device.clock.MainThread;
import dev.retap.agent.world.Blocking;
import java.util.Date;
import java.util.List;
import org.robolectric.RuntimeEnvironment;

final class PhoneCommands {
  private static final int MILLIS = 1_000;

  private final PhoneControl phone;
  private boolean hasWifi = true;
  private boolean hasMobile = true;

  PhoneCommands(PhoneControl phone) {
    this.phone = phone;
  }

  ShellAnswer run(String name, List<String> words) {
    return switch (name) {
      case "wm" -> screen(words);
      case "svc" -> service(words);
      case "screencap" -> picture(words);
      case "sleep" -> sleep(words.get(0));
      case "date" -> date(words);
      case "ime" -> keyboard(words);
      case "id" -> ShellAnswer.of("uid=2000(shell) gid=2000(shell) groups=2000(shell)\n");
      case "whoami" -> ShellAnswer.of("shell\n");
      case "true", "sync" -> ShellAnswer.NOTHING;
      default -> ShellAnswer.complain("/system/bin/sh: " + name + ": not found");
    };
  }

  private ShellAnswer screen(List<String> words) {
    Display display = display();
    switch (String.join(" ", words)) {
      case "size":
        Point size = new Point();
        display.getRealSize(size);
        boolean isTurned = display.getRotation() % 2 == 1;
        return ShellAnswer.of(
            "Physical size: " + (isTurned ? size.y + "x" + size.x : size.x + "x" + size.y) + "\n");
      case "density":
        DisplayMetrics metrics = new DisplayMetrics();
        display.getRealMetrics(metrics);
        return ShellAnswer.of("Physical density: " + metrics.densityDpi + "\n");
      case "size reset", "density reset", "dismiss-keyguard":
        return ShellAnswer.NOTHING;
      default:
        return ShellAnswer.complain("wm: this phone has no `wm " + String.join(" ", words) + "`");
    }
  }

  static Display display() {
    Context context = RuntimeEnvironment.getApplication();
    return ((WindowManager) context.getSystemService(Context.WINDOW_SERVICE)).getDefaultDisplay();
  }

  /** Runs `svc wifi|data enable|disable`, and from `cmd`: airplane mode and night. */
  private ShellAnswer service(List<String> words) {
    boolean isOn = words.get(words.size() - 1).equals("enable");
    switch (words.get(0)) {
      case "wifi" -> hasWifi = isOn;
      case "data" -> hasMobile = isOn;
      case "connectivity" -> {
        hasWifi = !isOn;
        hasMobile = !isOn;
      }
      case "uimode" -> {
        String night = words.get(2);
        change("night", night.equals("yes") ? "on" : "off");
        return ShellAnswer.of("Night mode: " + night + "\n");
      }
      case "power" -> {
        return ShellAnswer.NOTHING;
      }
      default -> {
        return ShellAnswer.complain("this phone does not know `" + String.join(" ", words) + "`");
      }
    }
    change("connectivity", hasWifi ? "wifi" : hasMobile ? "mobile" : "off");
    return ShellAnswer.NOTHING;
  }

  private void change(String what, String how) {
    MainThread.run(() -> phone.change().apply(what, List.of(how)), true);
  }

  private ShellAnswer picture(List<String> words) {
    if (!words.equals(List.of("-p"))) {
      return ShellAnswer.complain("screencap: this phone writes PNG to its output alone: -p");
    }
    byte[][] taken = new byte[1][];
    MainThread.run(() -> taken[0] = phone.picture().get(), true);
    return new ShellAnswer(taken[0], "");
  }

  private static ShellAnswer sleep(String seconds) {
    MainThread.pause((long) (Double.parseDouble(seconds) * MILLIS));
    return ShellAnswer.NOTHING;
  }

  private static ShellAnswer date(List<String> words) {
    long now = Blocking.currentTimeMillis();
    return words.contains("+%s")
        ? ShellAnswer.of(now / MILLIS + "\n")
        : ShellAnswer.of(new Date(now) + "\n");
  }

  private static ShellAnswer keyboard(List<String> words) {
    return words.equals(List.of("list", "-s"))
        ? ShellAnswer.of("com.android.inputmethod.latin/.LatinIME\n")
        : ShellAnswer.complain("ime: this phone has one keyboard, which cannot be changed");
  }
}
