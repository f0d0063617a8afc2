// The system's side of UiAutomation, which a test drives the phone with.
package dev.retap.agent.device.instrument;

import android.view.InputEvent;
import dev.retap.agent.device.binder.BinderStub;
import dev.retap.agent.device.input.InputInjection;
import dev.retap.agent.device.reflect.FrameworkCalls;

public final class UiAutomationServer {
  private final BinderStub stub = new BinderStub();

  /** Returns an IUiAutomationConnection. */
  public Object connection() {
    return stub.as(FrameworkCalls.type("android.app.IUiAutomationConnection"));
  }

  /** Takes events through the phone's input. */
  public void serve(InputInjection injection) {
    stub.on(
        "injectInputEvent", call -> injection.inject(call.first(InputEvent.class), call.flag(0)));
  }
}
