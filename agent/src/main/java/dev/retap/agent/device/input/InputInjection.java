// Events that code of the app's process injects, such as a test's touches. They reach windows as
// those of the input dispatcher do: on the main thread, past the barriers of its queue.
package dev.retap.agent.device.input;

import android.view.InputEvent;
import android.view.KeyEvent;
import android.view.MotionEvent;
import android.view.ViewRootImpl;
import dev.retap.agent.device.binder.BinderStub;
import dev.retap.agent.device.clock.MainThread;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.device.screen.Window;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

public final class InputInjection {
  /** The mode in which the caller does not wait for the event to be handled. */
  private static final int ASYNCHRONOUS = 0;

  private static final int HANDLING_MILLIS = 1;

  private final Supplier<List<Window>> windows;
  private final InputDispatcher dispatcher;
  private final WindowFocus focus;
  private final Runnable home;

  /** The window that the gesture so far belongs to. */
  private Window touched;

  private Consumer<InputEvent> listener = event -> {};

  /**
   * @param home what the Home key does
   */
  public InputInjection(
      Supplier<List<Window>> windows,
      InputDispatcher dispatcher,
      WindowFocus focus,
      Runnable home) {
    this.windows = windows;
    this.dispatcher = dispatcher;
    this.focus = focus;
    this.home = home;
  }

  /** Sets who sees each event, on the main thread, before its window does. */
  public void setListener(Consumer<InputEvent> listener) {
    this.listener = listener;
  }

  /** Plays the part of the input manager that takes events from apps. */
  public void install() {
    new BinderStub()
        .on(
            "injectInputEvent",
            call -> inject(call.first(InputEvent.class), call.number(0) != ASYNCHRONOUS))
        .on(
            "injectInputEventToTarget",
            call -> inject(call.first(InputEvent.class), call.number(0) != ASYNCHRONOUS))
        .publish("input", "android.hardware.input.IInputManager");
  }

  /**
   * Sends an event to the window that it belongs to.
   *
   * @param waits whether to return only after the window has handled it
   */
  public boolean inject(InputEvent event, boolean waits) {
    MainThread.run(() -> deliver(event), waits);
    if (waits) {
      // On a phone no event is handled in no time, and gestures are timed by that.
      MainThread.pause(HANDLING_MILLIS);
    }
    return true;
  }

  private void deliver(InputEvent event) {
    listener.accept(event);
    if (event instanceof MotionEvent motion) {
      touch(motion);
    } else if (event instanceof KeyEvent key) {
      press(key);
    }
  }

  private void touch(MotionEvent event) {
    int action = event.getActionMasked();
    if (action == MotionEvent.ACTION_DOWN || touched == null) {
      touched = dispatcher.windowAt((int) event.getRawX(), (int) event.getRawY());
    }
    if (touched != null && touched.root().getView() != null) {
      MotionEvent copy = MotionEvent.obtain(event);
      int[] at = touched.location();
      copy.offsetLocation(-at[0], -at[1]);
      send(touched.root(), copy);
    }
    if (action == MotionEvent.ACTION_UP || action == MotionEvent.ACTION_CANCEL) {
      touched = null;
    }
  }

  private void press(KeyEvent event) {
    int code = event.getKeyCode();
    boolean isUp = event.getAction() == KeyEvent.ACTION_UP;
    if (code == KeyEvent.KEYCODE_HOME) {
      if (isUp) {
        home.run();
      }
      return;
    }
    if (code == KeyEvent.KEYCODE_BACK && focus.keyboard().isUp()) {
      if (isUp) {
        focus.keyboard().takesKey(code);
      }
      return;
    }
    Window focused = WindowFocus.of(windows.get());
    if (focused != null) {
      send(
          focused.root(),
          KeyEvent.changeFlags(event, event.getFlags() | KeyEvent.FLAG_FROM_SYSTEM));
    }
  }

  private static void send(ViewRootImpl root, InputEvent event) {
    FrameworkCalls.call(root, "enqueueInputEvent", event, true);
  }
}
