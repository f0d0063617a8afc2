// Windows lie in the order of their activities, and the topmost that can takes the focus.
package dev.retap.agent.device.screen;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import android.app.Activity;
import android.app.AlertDialog;
import android.os.IBinder;
import android.view.View;
import android.view.WindowManager.LayoutParams;
import android.widget.PopupWindow;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.Robolectric;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.android.controller.ActivityController;
import org.robolectric.annotation.Config;

@RunWith(RobolectricTestRunner.class)
@Config(sdk = 30)
public class WindowListTest {
  private final Activity below = Robolectric.buildActivity(Activity.class).setup().get();
  private final Activity above = Robolectric.buildActivity(Activity.class).setup().get();

  @Test
  public void onlyWindowsOfVisibleActivitiesAreListed() {
    assertEquals(List.of(WindowKind.ACTIVITY), kinds(token(above)));
    assertEquals(List.of(), kinds());
  }

  @Test
  public void windowsComeInTheOrderOfTheirActivities() {
    List<Window> windows = WindowList.visible(List.of(token(above), token(below)));
    assertEquals(
        List.of(above.getWindow().getDecorView(), below.getWindow().getDecorView()),
        windows.stream().map(Window::view).toList());
  }

  @Test
  public void aDialogLiesAboveItsActivityAndBelowTheNext() {
    new AlertDialog.Builder(below).setMessage("text").show();
    assertEquals(
        List.of(WindowKind.ACTIVITY, WindowKind.DIALOG, WindowKind.ACTIVITY),
        kinds(token(below), token(above)));
  }

  @Test
  public void aDialogShownBeforeItsActivityLiesAboveIt() {
    ActivityController<Activity> early = Robolectric.buildActivity(Activity.class).create();
    new AlertDialog.Builder(early.get()).setMessage("text").show();
    early.start().resume().visible();
    assertEquals(List.of(WindowKind.ACTIVITY, WindowKind.DIALOG), kinds(token(early.get())));
  }

  @Test
  public void aPopupBelongsToTheLayerOfItsWindow() {
    new PopupWindow(new View(above), 10, 10).showAsDropDown(above.getWindow().getDecorView());
    assertEquals(List.of(WindowKind.ACTIVITY, WindowKind.POPUP), kinds(token(above)));
  }

  @Test
  public void aHiddenWindowIsNotListed() {
    above.getWindow().getDecorView().setVisibility(View.GONE);
    assertEquals(List.of(), kinds(token(above)));
  }

  @Test
  public void flagsDecideWhatAWindowTakes() {
    Window plain = window(0, WindowKind.DIALOG);
    assertTrue(plain.isTouchable() && plain.isFocusable() && plain.isModal());
    assertFalse(window(LayoutParams.FLAG_NOT_TOUCHABLE, WindowKind.DIALOG).isTouchable());
    assertFalse(window(LayoutParams.FLAG_NOT_FOCUSABLE, WindowKind.DIALOG).isFocusable());
    assertFalse(window(LayoutParams.FLAG_NOT_FOCUSABLE, WindowKind.DIALOG).isModal());
    assertFalse(window(LayoutParams.FLAG_NOT_TOUCH_MODAL, WindowKind.DIALOG).isModal());
  }

  @Test
  public void aToastTakesNothing() {
    Window toast = window(0, WindowKind.TOAST);
    assertFalse(toast.isTouchable() || toast.isFocusable());
  }

  private static List<WindowKind> kinds(IBinder... activities) {
    return WindowList.visible(List.of(activities)).stream().map(Window::kind).toList();
  }

  private static IBinder token(Activity activity) {
    return activity.getWindow().getAttributes().token;
  }

  static Window window(int flags, WindowKind kind) {
    LayoutParams params = new LayoutParams();
    params.flags = flags;
    return new Window(null, new View(RuntimeEnvironment.getApplication()), params, kind, 0);
  }
}
