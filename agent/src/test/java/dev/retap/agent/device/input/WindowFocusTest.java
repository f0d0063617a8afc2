// The topmost window that can take the focus has it.
package dev.retap.agent.device.input;

import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;

import android.view.View;
import android.view.WindowManager.LayoutParams;
import dev.retap.agent.device.screen.Window;
import dev.retap.agent.device.screen.WindowKind;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.annotation.Config;

@RunWith(RobolectricTestRunner.class)
@Config(sdk = 30)
public class WindowFocusTest {
  private final Window activity = window(0, WindowKind.ACTIVITY);
  private final Window dialog = window(0, WindowKind.DIALOG);
  private final Window hint = window(LayoutParams.FLAG_NOT_FOCUSABLE, WindowKind.POPUP);
  private final Window toast = window(0, WindowKind.TOAST);

  @Test
  public void aDialogTakesTheFocusFromItsActivity() {
    assertSame(dialog, WindowFocus.of(List.of(activity, dialog)));
  }

  @Test
  public void windowsThatCannotTakeTheFocusAreSkipped() {
    assertSame(activity, WindowFocus.of(List.of(activity, hint, toast)));
  }

  @Test
  public void withoutSuchAWindowNoneHasTheFocus() {
    assertNull(WindowFocus.of(List.of(hint, toast)));
    assertNull(WindowFocus.of(List.of()));
  }

  private static Window window(int flags, WindowKind kind) {
    LayoutParams params = new LayoutParams();
    params.flags = flags;
    return new Window(null, new View(RuntimeEnvironment.getApplication()), params, kind, 0);
  }
}
