// `input`: fingers and keys.
package dev.retap.agent.device.instrument.shell;

import android.os.SystemClock;
import android.view.InputDevice;
import android.view.InputEvent;
import android.view.KeyCharacterMap;
import android.view.KeyEvent;
import android.view.MotionEvent;
import android.view.ViewConfiguration;
import dev.retap.agent.device.clock.MainThread;
import java.util.List;
import java.util.Set;

final class InputCommands {
  /** Sources that may come first; all of them are the one screen and the one keyboard here. */
  private static final Set<String> SOURCES =
      Set.of("touchscreen", "keyboard", "mouse", "touchpad", "stylus", "dpad", "gamepad");

  private static final int SWIPE_MILLIS = 300;
  private static final int MOVE_EVERY_MILLIS = 5;

  private final PhoneControl phone;

  InputCommands(PhoneControl phone) {
    this.phone = phone;
  }

  ShellAnswer run(List<String> all) {
    List<String> words = SOURCES.contains(all.get(0)) ? all.subList(1, all.size()) : all;
    switch (words.get(0)) {
      case "keyevent" -> keys(words.subList(1, words.size()));
      case "tap" -> tap(place(words, 1), place(words, 2));
      case "swipe" -> swipe(words, 0);
      case "draganddrop" -> swipe(words, ViewConfiguration.getLongPressTimeout());
      case "text" -> type(words.get(1).replace("%s", " "));
      default -> {
        return ShellAnswer.complain("Error: Unknown command: " + words.get(0));
      }
    }
    return ShellAnswer.NOTHING;
  }

  private void keys(List<String> words) {
    boolean isLong = words.contains("--longpress");
    for (String word : words) {
      if (!word.startsWith("--")) {
        press(KeyEvent.keyCodeFromString(word), isLong);
      }
    }
  }

  private void press(int code, boolean isLong) {
    if (code == KeyEvent.KEYCODE_UNKNOWN) {
      throw new IllegalArgumentException("no such key");
    }
    long down = SystemClock.uptimeMillis();
    inject(new KeyEvent(down, down, KeyEvent.ACTION_DOWN, code, 0));
    if (isLong) {
      MainThread.pause(ViewConfiguration.getLongPressTimeout());
      long now = SystemClock.uptimeMillis();
      inject(
          KeyEvent.changeTimeRepeat(
              new KeyEvent(down, now, KeyEvent.ACTION_DOWN, code, 1),
              now,
              1,
              KeyEvent.FLAG_LONG_PRESS));
    }
    inject(new KeyEvent(down, SystemClock.uptimeMillis(), KeyEvent.ACTION_UP, code, 0));
  }

  private void tap(float x, float y) {
    long down = SystemClock.uptimeMillis();
    touch(down, MotionEvent.ACTION_DOWN, x, y);
    touch(down, MotionEvent.ACTION_UP, x, y);
  }

  private void swipe(List<String> words, long holdMillis) {
    float x = place(words, 1);
    float y = place(words, 2);
    float toX = place(words, 3);
    float toY = place(words, 4);
    int millis = words.size() > 5 ? Integer.parseInt(words.get(5)) : SWIPE_MILLIS;
    long down = SystemClock.uptimeMillis();
    touch(down, MotionEvent.ACTION_DOWN, x, y);
    MainThread.pause(holdMillis);
    long begin = SystemClock.uptimeMillis();
    for (long now = begin; now < begin + millis; now = SystemClock.uptimeMillis()) {
      float share = (float) (now - begin) / millis;
      touch(down, MotionEvent.ACTION_MOVE, x + (toX - x) * share, y + (toY - y) * share);
      MainThread.pause(MOVE_EVERY_MILLIS);
    }
    touch(down, MotionEvent.ACTION_UP, toX, toY);
  }

  private void type(String text) {
    KeyCharacterMap keys = KeyCharacterMap.load(KeyCharacterMap.VIRTUAL_KEYBOARD);
    KeyEvent[] typed = keys.getEvents(text.toCharArray());
    for (KeyEvent key : typed == null ? new KeyEvent[0] : typed) {
      inject(KeyEvent.changeTimeRepeat(key, SystemClock.uptimeMillis(), 0));
    }
  }

  private static float place(List<String> words, int index) {
    return Float.parseFloat(words.get(index));
  }

  private void touch(long down, int action, float x, float y) {
    MotionEvent touch = MotionEvent.obtain(down, SystemClock.uptimeMillis(), action, x, y, 0);
    touch.setSource(InputDevice.SOURCE_TOUCHSCREEN);
    inject(touch);
  }

  private void inject(InputEvent event) {
    phone.input().inject(event, true);
  }
}
