// Dispatches touches and keys to windows as Android's input dispatcher does: a gesture belongs
// to the window that its first touch hits; keys go to the focused window.
package dev.retap.agent.device.input;

import android.os.SystemClock;
import android.view.InputDevice;
import android.view.InputEvent;
import android.view.KeyCharacterMap;
import android.view.KeyEvent;
import android.view.MotionEvent;
import android.view.ViewConfiguration;
import android.view.ViewRootImpl;
import android.view.WindowManager.LayoutParams;
import dev.retap.agent.device.clock.IdleWaiter;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.device.screen.SystemBars;
import dev.retap.agent.device.screen.Window;
import java.util.List;
import java.util.function.Supplier;

public final class InputDispatcher {
  private static final int HELD_LONGER_MILLIS = 300;
  private static final int STEP_MILLIS = 16;

  private final Supplier<List<Window>> windows;
  private final WindowFocus focus;
  private final IdleWaiter idle;

  /** The windows that take touches during haste, whatever came since; null otherwise. */
  private List<Window> heldWindows;

  public InputDispatcher(Supplier<List<Window>> windows, WindowFocus focus, IdleWaiter idle) {
    this.windows = windows;
    this.focus = focus;
    this.idle = idle;
  }

  /**
   * Lets touches go to these windows, as on a phone that has not shown the next one yet. Null means
   * those that are visible.
   */
  public void holdWindows(List<Window> windows) {
    heldWindows = windows;
  }

  public void tap(int x, int y) {
    press(x, y, ViewConfiguration.getTapTimeout() / 2);
  }

  /**
   * Presses as long as a person does. A list begins to wait for a long press only after the time of
   * a tap, and later still if frames take time.
   */
  public void longPress(int x, int y) {
    int tap = ViewConfiguration.getTapTimeout();
    press(x, y, tap + ViewConfiguration.getLongPressTimeout() + HELD_LONGER_MILLIS);
  }

  public void drag(int x1, int y1, int x2, int y2, int millis) {
    Window window = windowAt(x1, y1);
    if (window == null) {
      return;
    }
    long down = SystemClock.uptimeMillis();
    int steps = Math.max(2, millis / STEP_MILLIS);
    touch(window, down, MotionEvent.ACTION_DOWN, x1, y1);
    for (int i = 1; i <= steps; i++) {
      idle.pass(Math.max(1, millis / steps));
      touch(
          window,
          down,
          MotionEvent.ACTION_MOVE,
          x1 + (x2 - x1) * i / steps,
          y1 + (y2 - y1) * i / steps);
    }
    touch(window, down, MotionEvent.ACTION_UP, x2, y2);
  }

  public void pinch(int x, int y, boolean open, int span) {
    Window window = windowAt(x, y);
    if (window == null) {
      return;
    }
    long down = SystemClock.uptimeMillis();
    int near = Math.max(1, span / 10);
    int from = open ? near : span;
    int to = open ? span : near;
    int secondDown = MotionEvent.ACTION_POINTER_DOWN | 1 << MotionEvent.ACTION_POINTER_INDEX_SHIFT;
    int secondUp = MotionEvent.ACTION_POINTER_UP | 1 << MotionEvent.ACTION_POINTER_INDEX_SHIFT;
    touch(window, down, MotionEvent.ACTION_DOWN, x - from / 2, y);
    touch(window, down, secondDown, x - from / 2, y, x + from / 2, y);
    int steps = 10;
    for (int i = 1; i <= steps; i++) {
      idle.pass(STEP_MILLIS);
      int half = (from + (to - from) * i / steps) / 2;
      touch(window, down, MotionEvent.ACTION_MOVE, x - half, y, x + half, y);
    }
    touch(window, down, secondUp, x - to / 2, y, x + to / 2, y);
    touch(window, down, MotionEvent.ACTION_UP, x - to / 2, y);
  }

  public void key(int code) {
    if (focus.keyboard().isUp() && focus.keyboard().takesKey(code)) {
      return;
    }
    long down = SystemClock.uptimeMillis();
    key(down, KeyEvent.ACTION_DOWN, code);
    idle.pass(1);
    key(down, KeyEvent.ACTION_UP, code);
  }

  private void key(long down, int action, int code) {
    Window focused = WindowFocus.of(windows.get());
    if (focused != null) {
      send(
          focused.root(),
          new KeyEvent(
              down,
              SystemClock.uptimeMillis(),
              action,
              code,
              0,
              0,
              KeyCharacterMap.VIRTUAL_KEYBOARD,
              0,
              KeyEvent.FLAG_FROM_SYSTEM,
              InputDevice.SOURCE_KEYBOARD));
    }
  }

  private void press(int x, int y, int millis) {
    Window window = windowAt(x, y);
    if (window == null) {
      return;
    }
    long down = SystemClock.uptimeMillis();
    touch(window, down, MotionEvent.ACTION_DOWN, x, y);
    idle.pass(millis);
    touch(window, down, MotionEvent.ACTION_UP, x, y);
  }

  /**
   * Returns the window that takes a touch, or null if the system's bars or the keyboard are in its
   * way. Windows above it that watch for outside touches get one.
   */
  Window windowAt(int x, int y) {
    List<Window> all = heldWindows == null ? windows.get() : heldWindows;
    if (SystemBars.takeTouch(x, y, all)
        || focus.keyboard().isUp() && focus.keyboard().bounds().contains(x, y)) {
      return null;
    }
    for (int i = all.size() - 1; i >= 0; i--) {
      Window window = all.get(i);
      if (!window.isTouchable()) {
        continue;
      }
      if (window.isModal() || window.contains(x, y)) {
        return window;
      }
      if (window.hasFlag(LayoutParams.FLAG_WATCH_OUTSIDE_TOUCH)) {
        touch(window, SystemClock.uptimeMillis(), MotionEvent.ACTION_OUTSIDE, x, y);
      }
    }
    return null;
  }

  private void touch(Window window, long down, int action, int... points) {
    int count = points.length / 2;
    MotionEvent.PointerProperties[] properties = new MotionEvent.PointerProperties[count];
    MotionEvent.PointerCoords[] coords = new MotionEvent.PointerCoords[count];
    for (int i = 0; i < count; i++) {
      properties[i] = new MotionEvent.PointerProperties();
      properties[i].id = i;
      properties[i].toolType = MotionEvent.TOOL_TYPE_FINGER;
      coords[i] = new MotionEvent.PointerCoords();
      coords[i].x = points[2 * i];
      coords[i].y = points[2 * i + 1];
      coords[i].pressure = 1;
      coords[i].size = 1;
    }
    MotionEvent event =
        MotionEvent.obtain(
            down,
            SystemClock.uptimeMillis(),
            action,
            count,
            properties,
            coords,
            0,
            0,
            1,
            1,
            0,
            0,
            InputDevice.SOURCE_TOUCHSCREEN,
            0);
    int[] at = window.location();
    event.offsetLocation(-at[0], -at[1]);
    if (window.root().getView() != null) {
      send(window.root(), event);
    }
  }

  private static void send(ViewRootImpl root, InputEvent event) {
    FrameworkCalls.call(root, "enqueueInputEvent", event, true);
  }
}
