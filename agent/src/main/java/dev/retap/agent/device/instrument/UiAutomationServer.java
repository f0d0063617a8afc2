// The system's side of UiAutomation, which a test drives the phone with.
package dev.retap.agent.device.instrument;

import android.accessibilityservice.AccessibilityService;
import android.content.Context;
import android.graphics.Bitmap;
import android.graphics.BitmapFactory;
import android.os.Binder;
import android.os.ParcelFileDescriptor;
import android.os.SystemClock;
import android.view.InputEvent;
import android.view.KeyEvent;
import android.view.accessibility.AccessibilityEvent;
import android.view.accessibility.AccessibilityManager;
import dev.retap.agent.device.binder.BinderCall;
import dev.retap.agent.device.binder.BinderStub;
import dev.retap.agent.device.clock.MainThread;
import dev.retap.agent.device.instrument.shell.PhoneControl;
import dev.retap.agent.device.instrument.shell.Shell;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.device.screen.Window;
import dev.retap.agent.shadow.system.AccessibilityManagerShadow;
import dev.retap.agent.shadow.system.UiAutomationShadow;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowAccessibilityManager;

public final class UiAutomationServer {
  private static final int CONNECTION_ID = 1;

  /** A picture waits this many frames at most for layouts that are due. */
  private static final int MAX_FRAMES = 10;

  private static final int FRAME_MILLIS = 16;

  private final BinderStub stub = new BinderStub();

  /** Returns an IUiAutomationConnection. */
  public Object connection() {
    return stub.as(FrameworkCalls.type("android.app.IUiAutomationConnection"));
  }

  public void serve(PhoneControl phone) {
    AccessibilityServer accessibility =
        new AccessibilityServer(CONNECTION_ID, phone.windows(), action -> act(phone, action));
    Shell shell = new Shell(phone);
    stub.on("connect", call -> connect(call, accessibility))
        .on("disconnect", call -> disconnect())
        .on(
            "injectInputEvent",
            call -> phone.input().inject(call.first(InputEvent.class), call.flag(0)))
        .on("executeShellCommand", call -> execute(shell, call, false))
        .on("executeShellCommandWithStderr", call -> execute(shell, call, true))
        .on("setRotation", call -> rotate(phone, call.number(0)))
        .on("grantRuntimePermission", call -> change(phone, call, true))
        .on("revokeRuntimePermission", call -> change(phone, call, false));
    UiAutomationShadow.setCamera(() -> photograph(phone));
  }

  private static Object connect(BinderCall call, AccessibilityServer accessibility) {
    Object client = call.arguments()[0];
    enable(true);
    AccessibilityManagerShadow.setListener(
        event ->
            FrameworkCalls.call(
                client, "onAccessibilityEvent", AccessibilityEvent.obtain(event), true));
    FrameworkCalls.call(client, "init", accessibility.connection(), CONNECTION_ID, new Binder());
    return null;
  }

  private static Object disconnect() {
    AccessibilityManagerShadow.setListener(event -> {});
    enable(false);
    return null;
  }

  /** Makes views send events, on the main thread, where they are told. */
  private static void enable(boolean isEnabled) {
    Context context = RuntimeEnvironment.getApplication();
    Object manager = context.getSystemService(Context.ACCESSIBILITY_SERVICE);
    ShadowAccessibilityManager shadow = Shadow.extract((AccessibilityManager) manager);
    MainThread.run(() -> shadow.setEnabled(isEnabled), true);
  }

  private static boolean act(PhoneControl phone, int action) {
    int key =
        switch (action) {
          case AccessibilityService.GLOBAL_ACTION_BACK -> KeyEvent.KEYCODE_BACK;
          case AccessibilityService.GLOBAL_ACTION_HOME -> KeyEvent.KEYCODE_HOME;
          default -> KeyEvent.KEYCODE_UNKNOWN;
        };
    if (key == KeyEvent.KEYCODE_UNKNOWN) {
      return false;
    }
    long now = SystemClock.uptimeMillis();
    phone.input().inject(new KeyEvent(now, now, KeyEvent.ACTION_DOWN, key, 0), true);
    return phone.input().inject(new KeyEvent(now, now, KeyEvent.ACTION_UP, key, 0), true);
  }

  /** Turns the phone; numbers below zero let it follow the hand again, which holds it upright. */
  private static boolean rotate(PhoneControl phone, int rotation) {
    MainThread.run(() -> phone.rotate().accept(rotation == 1 || rotation == 3), true);
    return true;
  }

  /** Runs a command; what the test would write to it is not read. */
  private static Object execute(Shell shell, BinderCall call, boolean hasErrors) {
    ParcelFileDescriptor output = call.nth(ParcelFileDescriptor.class, 0);
    ParcelFileDescriptor errors = hasErrors ? call.nth(ParcelFileDescriptor.class, 2) : null;
    shell.run(call.first(String.class), output, errors);
    return null;
  }

  private static Object change(PhoneControl phone, BinderCall call, boolean isGranted) {
    phone.grant().apply(call.nth(String.class, 1), isGranted);
    return null;
  }

  private static Bitmap photograph(PhoneControl phone) {
    for (int frame = 0; frame < MAX_FRAMES && isLayoutDue(phone); frame++) {
      MainThread.pause(FRAME_MILLIS);
    }
    byte[][] taken = new byte[1][];
    MainThread.run(() -> taken[0] = phone.picture().get(), true);
    return BitmapFactory.decodeByteArray(taken[0], 0, taken[0].length);
  }

  private static boolean isLayoutDue(PhoneControl phone) {
    boolean[] isDue = new boolean[1];
    MainThread.run(
        () -> isDue[0] = phone.windows().get().stream().anyMatch(Window::isLayoutDue), true);
    return isDue[0];
  }
}
