// Writes down what a test does to the phone: gestures, keys, rotations and the activities that it
// starts, each with the screen before it. Texts are not among them: a test can set one without the
// phone, and the screens tell.
package dev.retap.agent.device.instrument;

import android.content.ComponentName;
import android.content.Intent;
import android.os.Bundle;
import android.view.InputEvent;
import android.view.KeyEvent;
import android.view.MotionEvent;
import android.view.ViewConfiguration;
import dev.retap.agent.wire.Event;
import dev.retap.agent.wire.RecordedInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.robolectric.RuntimeEnvironment;

public final class InputRecorder {
  private static final byte[] NOTHING = {};

  /** The threads of instrumentations. What the app itself starts is no input. */
  private static final String TEST_THREAD = "android.app.Instrumentation$InstrumentationThread";

  /** Activities that androidx.test puts in front of and behind those under test. */
  private static final String HELPERS = "androidx.test.";

  private final List<RecordedInput> inputs = new ArrayList<>();
  private final Supplier<byte[]> screen;
  private final Supplier<Intent> launcher;

  /** The screen before the gesture that has begun, or null. */
  private byte[] before;

  private float x;
  private float y;
  private float span;
  private boolean isPinch;
  private boolean isMoved;

  /**
   * @param screen returns the encoded screen, or null while no window of the app is in front
   * @param launcher returns the intent of the app's icon
   */
  public InputRecorder(Supplier<byte[]> screen, Supplier<Intent> launcher) {
    this.screen = screen;
    this.launcher = launcher;
  }

  /** Takes an event on the main thread, before its window gets it. */
  public void take(InputEvent event) {
    if (event instanceof MotionEvent motion) {
      touch(motion);
    } else if (event instanceof KeyEvent key) {
      press(key);
    }
  }

  /** Takes a rotation on the main thread, before the display turns. */
  public void rotate(boolean toLandscape) {
    add(screen.get(), new Event.Rotate(toLandscape));
  }

  /** Takes the start of an activity, on the thread that starts it. */
  public void start(Intent intent) {
    ComponentName component = intent.getComponent();
    boolean isOfTest = Thread.currentThread().getClass().getName().equals(TEST_THREAD);
    if (!isOfTest
        || component == null
        || component.getClassName().startsWith(HELPERS)
        || !component
            .getPackageName()
            .equals(RuntimeEnvironment.getApplication().getPackageName())) {
      return;
    }
    Intent icon = launcher.get();
    boolean isLaunch = icon != null && component.equals(icon.getComponent());
    add(NOTHING, isLaunch ? new Event.Launch() : new Event.StartIntent(describe(intent)));
  }

  public List<RecordedInput> inputs() {
    return inputs;
  }

  private void touch(MotionEvent event) {
    switch (event.getActionMasked()) {
      case MotionEvent.ACTION_DOWN -> {
        before = screen.get();
        x = event.getRawX();
        y = event.getRawY();
        isPinch = false;
        isMoved = false;
      }
      case MotionEvent.ACTION_POINTER_DOWN -> {
        isPinch = true;
        span = span(event);
      }
      case MotionEvent.ACTION_MOVE -> isMoved |= distance(event) > slop();
      case MotionEvent.ACTION_POINTER_UP -> {
        int middleX = (int) ((event.getX(0) + event.getX(1)) / 2);
        int middleY = (int) ((event.getY(0) + event.getY(1)) / 2);
        add(before, new Event.Pinch(middleX, middleY, span(event) > span, 0));
        before = null;
      }
      case MotionEvent.ACTION_UP -> {
        if (!isPinch) {
          add(before, gesture(event));
        }
        before = null;
      }
      case MotionEvent.ACTION_CANCEL -> before = null;
      default -> {}
    }
  }

  private Event gesture(MotionEvent event) {
    int millis = (int) (event.getEventTime() - event.getDownTime());
    if (isMoved || distance(event) > slop()) {
      int toX = (int) event.getRawX();
      int toY = (int) event.getRawY();
      return new Event.Drag((int) x, (int) y, toX, toY, Math.max(1, millis));
    }
    return millis < ViewConfiguration.getLongPressTimeout()
        ? new Event.Tap((int) x, (int) y)
        : new Event.LongPress((int) x, (int) y);
  }

  /** Takes keys that do not write: what the others wrote is on the next screen. */
  private void press(KeyEvent event) {
    int code = event.getKeyCode();
    boolean writes =
        event.getUnicodeChar() != 0 && code != KeyEvent.KEYCODE_ENTER
            || code == KeyEvent.KEYCODE_DEL
            || KeyEvent.isModifierKey(code);
    if (event.getAction() == KeyEvent.ACTION_UP && !writes) {
      String name = KeyEvent.keyCodeToString(code).replace("KEYCODE_", "");
      add(screen.get(), new Event.Key(name.toLowerCase(Locale.ROOT)));
    }
  }

  private void add(byte[] screenBefore, Event event) {
    if (screenBefore != null) {
      inputs.add(new RecordedInput(screenBefore, event));
    }
  }

  private float distance(MotionEvent event) {
    return (float) Math.hypot(event.getRawX() - x, event.getRawY() - y);
  }

  private static float span(MotionEvent event) {
    return (float) Math.hypot(event.getX(0) - event.getX(1), event.getY(0) - event.getY(1));
  }

  private static int slop() {
    return ViewConfiguration.get(RuntimeEnvironment.getApplication()).getScaledTouchSlop();
  }

  private static Event.IntentSpec describe(Intent intent) {
    List<String> categories =
        intent.getCategories() == null
            ? List.of()
            : List.copyOf(new TreeSet<>(intent.getCategories()));
    return new Event.IntentSpec(
        intent.getAction() == null ? "" : intent.getAction(),
        intent.getDataString() == null ? "" : intent.getDataString(),
        intent.getType() == null ? "" : intent.getType(),
        categories,
        intent.getComponent().flattenToString(),
        extras(intent.getExtras()));
  }

  /** Returns the extras that an event can say; others are left out. */
  private static List<String> extras(Bundle bundle) {
    List<String> extras = new ArrayList<>();
    if (bundle != null) {
      for (String key : new TreeSet<>(bundle.keySet())) {
        Object value = bundle.get(key);
        String letter =
            value instanceof String
                ? "s"
                : value instanceof Integer
                    ? "i"
                    : value instanceof Long ? "l" : value instanceof Boolean ? "b" : null;
        if (letter != null) {
          extras.add(key + "=" + letter + value);
        }
      }
    }
    return extras;
  }
}
