// What the phone does for a test that automates it.
package dev.retap.agent.device.instrument.shell;

import android.content.ComponentName;
import android.content.Intent;
import dev.retap.agent.device.input.InputInjection;
import dev.retap.agent.device.screen.Window;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/**
 * @param picture returns the screen as PNG
 * @param rotate turns the phone, to landscape if true
 * @param grant grants a permission, or revokes it
 * @param start starts an activity; returns one of ActivityManager.START_…
 * @param broadcast sends a broadcast that comes from outside the app
 * @param change changes the phone around the app: battery, network, night
 * @param front returns the activity in front, or null if there is none
 * @param kill ends the app's process
 */
public record PhoneControl(
    InputInjection input,
    Supplier<List<Window>> windows,
    Supplier<byte[]> picture,
    Consumer<Boolean> rotate,
    PermissionChange grant,
    ToIntFunction<Intent> start,
    Consumer<Intent> broadcast,
    PhoneChange change,
    Supplier<ComponentName> front,
    Runnable kill) {

  /** Grants or revokes a permission of the app. */
  public interface PermissionChange {
    void apply(String permission, boolean isGranted);
  }

  /** Performs a system event. */
  public interface PhoneChange {
    void apply(String what, List<String> arguments);
  }
}
