// The system's side of an accessibility service: it passes the questions of a test on to the
// windows, whose own code answers them, and lists the windows.
package dev.retap.agent.device.instrument;

import android.accessibilityservice.AccessibilityServiceInfo;
import android.graphics.Rect;
import android.graphics.Region;
import android.os.Build;
import android.os.Bundle;
import android.os.Process;
import android.view.Display;
import android.view.ViewRootImpl;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityWindowInfo;
import dev.retap.agent.device.binder.BinderCall;
import dev.retap.agent.device.binder.BinderStub;
import dev.retap.agent.device.input.WindowFocus;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.device.reflect.FrameworkFields;
import dev.retap.agent.device.screen.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.robolectric.RuntimeEnvironment;

final class AccessibilityServer {
  private static final int ANY_WINDOW = -2;
  private static final int ACTIVE_WINDOW = Integer.MAX_VALUE;

  private final int connectionId;
  private final Supplier<List<Window>> windows;
  private final IntPredicate globalAction;
  private final Map<ViewRootImpl, Integer> ids = new WeakHashMap<>();
  private int lastId;
  private AccessibilityServiceInfo info = new AccessibilityServiceInfo();

  /**
   * @param globalAction performs one of AccessibilityService.GLOBAL_ACTION_…; false if it cannot
   */
  AccessibilityServer(int connectionId, Supplier<List<Window>> windows, IntPredicate globalAction) {
    this.connectionId = connectionId;
    this.windows = windows;
    this.globalAction = globalAction;
    info.eventTypes = -1;
    info.feedbackType = AccessibilityServiceInfo.FEEDBACK_GENERIC;
    info.flags =
        AccessibilityServiceInfo.FLAG_REPORT_VIEW_IDS
            | AccessibilityServiceInfo.FLAG_RETRIEVE_INTERACTIVE_WINDOWS;
  }

  /** Returns an IAccessibilityServiceConnection. */
  Object connection() {
    return new BinderStub()
        .on("getServiceInfo", call -> info)
        .on("setServiceInfo", this::setInfo)
        .on(
            "findAccessibilityNodeInfoByAccessibilityId",
            call -> ask(call, "findAccessibilityNodeInfoByAccessibilityIdClientThread"))
        .on(
            "findAccessibilityNodeInfosByText",
            call -> ask(call, "findAccessibilityNodeInfosByTextClientThread"))
        .on(
            "findAccessibilityNodeInfosByViewId",
            call -> ask(call, "findAccessibilityNodeInfosByViewIdClientThread"))
        .on("findFocus", call -> ask(call, "findFocusClientThread"))
        .on("focusSearch", call -> ask(call, "focusSearchClientThread"))
        .on(
            "performAccessibilityAction",
            call -> ask(call, "performAccessibilityActionClientThread"))
        .on("getWindows", this::list)
        .on("getWindow", this::describe)
        .on("performGlobalAction", call -> globalAction.test(call.number(0)))
        .as(FrameworkCalls.type("android.accessibilityservice.IAccessibilityServiceConnection"));
  }

  /** Takes new settings. As on a phone, null is refused; some tests clear a cache in this way. */
  private Object setInfo(BinderCall call) {
    info = Objects.requireNonNull(call.first(AccessibilityServiceInfo.class));
    return null;
  }

  /** Lists the windows, the topmost first. */
  private Object list(BinderCall call) {
    List<AccessibilityWindowInfo> described = new ArrayList<>();
    for (Window window : identified()) {
      described.add(0, describe(window));
    }
    Class<?> answer = call.method().getReturnType();
    if (answer == List.class) {
      return described;
    }
    // Newer systems tell the windows of each display.
    Object byDisplay = FrameworkCalls.construct(answer);
    FrameworkCalls.call(byDisplay, "put", Display.DEFAULT_DISPLAY, described);
    return byDisplay;
  }

  private Object describe(BinderCall call) {
    for (Window window : identified()) {
      if (ids.get(window.root()) == call.number(0)) {
        return describe(window);
      }
    }
    return null;
  }

  private AccessibilityWindowInfo describe(Window window) {
    boolean isInFront = window.equals(WindowFocus.of(windows.get()));
    int[] at = window.location();
    Rect bounds =
        new Rect(at[0], at[1], at[0] + window.view().getWidth(), at[1] + window.view().getHeight());
    AccessibilityWindowInfo info = AccessibilityWindowInfo.obtain();
    // Its root is asked for over the same connection.
    FrameworkCalls.call(info, "setConnectionId", connectionId);
    if (FrameworkCalls.hasMethod(AccessibilityWindowInfo.class, "setDisplayId")) {
      FrameworkCalls.call(info, "setDisplayId", Display.DEFAULT_DISPLAY);
    }
    FrameworkCalls.call(info, "setId", ids.get(window.root()));
    FrameworkCalls.call(info, "setType", AccessibilityWindowInfo.TYPE_APPLICATION);
    FrameworkCalls.call(info, "setLayer", window.layer());
    FrameworkCalls.call(info, "setTitle", window.params().getTitle());
    FrameworkCalls.call(info, "setFocused", isInFront);
    FrameworkCalls.call(info, "setActive", isInFront);
    if (RuntimeEnvironment.getApiLevel() < Build.VERSION_CODES.Q) {
      FrameworkCalls.call(info, "setBoundsInScreen", bounds);
    } else {
      FrameworkCalls.call(info, "setRegionInScreen", new Region(bounds));
    }
    return info;
  }

  /** Returns the windows, and tells each its id. */
  private List<Window> identified() {
    List<Window> shown = windows.get();
    for (Window window : shown) {
      int own = ids.computeIfAbsent(window.root(), root -> ++lastId);
      FrameworkFields.set(
          FrameworkFields.get(window.root(), "mAttachInfo"), "mAccessibilityWindowId", own);
    }
    return shown;
  }

  /** Passes a question on. The answer arrives at its callback; this is only whether it will. */
  private Object ask(BinderCall call, String method) {
    ViewRootImpl root = root(call.number(0));
    Class<?> answer = call.method().getReturnType();
    if (root == null) {
      return answer == boolean.class ? (Object) false : null;
    }
    boolean isById = method.equals("findAccessibilityNodeInfoByAccessibilityIdClientThread");
    boolean hasKind = method.startsWith("find") || method.startsWith("focus");
    Object callback = callback(call);
    Object controller = FrameworkCalls.call(root, "getAccessibilityInteractionController");
    Object text = call.first(String.class);
    Object arguments = call.first(Bundle.class);
    Object node = call.nth(long.class, 0);
    Object thread = call.nth(long.class, 1);
    int pid = Process.myPid();
    Object interaction = call.number(1);
    Object[] offered;
    if (isById) {
      offered =
          new Object[] {
            node, interaction, callback, call.number(2) | flags(), pid, thread, arguments
          };
    } else if (text != null) {
      offered = new Object[] {node, text, interaction, callback, flags(), pid, thread};
    } else if (hasKind) {
      // The kind of focus or the direction comes before the number of the question.
      offered = new Object[] {node, interaction, call.number(2), callback, flags(), pid, thread};
    } else {
      offered =
          new Object[] {
            node, interaction, arguments, call.number(2), callback, flags(), pid, thread
          };
    }
    FrameworkCalls.call(controller, method, offered);
    return answer == boolean.class ? (Object) true : new String[] {packageOf(root)};
  }

  private static Object callback(BinderCall call) {
    for (int i = 0; i < call.arguments().length; i++) {
      if (call.method().getParameterTypes()[i].getSimpleName().endsWith("ConnectionCallback")) {
        return call.arguments()[i];
      }
    }
    return null;
  }

  private static String packageOf(ViewRootImpl root) {
    return root.getView().getContext().getPackageName();
  }

  /** Returns the window's root, or that of the window in front. */
  private ViewRootImpl root(int id) {
    List<Window> shown = identified();
    if (id == ACTIVE_WINDOW || id == ANY_WINDOW) {
      Window focused = WindowFocus.of(shown);
      return focused == null ? null : focused.root();
    }
    for (Window window : shown) {
      if (ids.get(window.root()) == id) {
        return window.root();
      }
    }
    return null;
  }

  /** Returns how nodes are fetched, as the service's settings ask. */
  private int flags() {
    int flags = constant("FLAG_SERVICE_REQUESTS_REPORT_VIEW_IDS", "FLAG_REPORT_VIEW_IDS");
    if ((info.flags & AccessibilityServiceInfo.FLAG_INCLUDE_NOT_IMPORTANT_VIEWS) != 0) {
      flags |=
          constant(
              "FLAG_SERVICE_REQUESTS_INCLUDE_NOT_IMPORTANT_VIEWS",
              "FLAG_INCLUDE_NOT_IMPORTANT_VIEWS");
    }
    return flags;
  }

  private static int constant(String name, String formerName) {
    try {
      return (Integer) FrameworkFields.getStatic(AccessibilityNodeInfo.class, name);
    } catch (LinkageError e) {
      return (Integer) FrameworkFields.getStatic(AccessibilityNodeInfo.class, formerName);
    }
  }
}
