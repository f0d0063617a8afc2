// The input method service. It accepts every field that the app's input method manager offers, so
// that the manager connects to the field that has the focus. What is typed reaches the field
// without a keyboard's process, so no session ever follows.
package dev.retap.agent.device.system.service;

import dev.retap.agent.device.binder.BinderCall;
import dev.retap.agent.device.binder.BinderStub;
import dev.retap.agent.device.reflect.FrameworkCalls;

public final class InputMethods {
  /** InputBindResult's code for a field that waits until the keyboard's process is there. */
  private static final int WAITING_FOR_KEYBOARD = 1;

  private static final String KEYBOARD = "com.android.inputmethod.latin/.LatinIME";

  private int bindings;

  public void install() {
    new BinderStub()
        .on("startInput", this::bind)
        .on("startInputOrWindowGainedFocus", this::bind)
        .on("windowGainedFocus", this::bind)
        .publish("input_method", "com.android.internal.view.IInputMethodManager");
  }

  private Object bind(BinderCall call) {
    Class<?> answer = call.method().getReturnType();
    return answer == void.class
        ? null
        : FrameworkCalls.construct(answer, WAITING_FOR_KEYBOARD, KEYBOARD, ++bindings);
  }
}
