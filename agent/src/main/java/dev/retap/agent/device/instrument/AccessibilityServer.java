// The system's side of an accessibility service: it passes the questions of a test on to the
// windows,
// whose own code answers them.
package dev.retap.agent.device.instrument;

import android.accessibilityservice.AccessibilityServiceInfo;
import android.os.Bundle;
import android.os.Process;
import android.view.ViewRootImpl;
import android.view.accessibility.AccessibilityNodeInfo;
import dev.retap.agent.device.binder.BinderCall;
import dev.retap.agent.device.binder.BinderStub;
import dev.retap.agent.device.input.WindowFocus;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.device.reflect.FrameworkFields;
import dev.retap.agent.device.screen.Window;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

final class AccessibilityServer {
  private static final int ANY_WINDOW = -2;
  private static final int ACTIVE_WINDOW = Integer.MAX_VALUE;

  private final Supplier<List<Window>> windows;
  private final IntPredicate globalAction;
  private final Map<ViewRootImpl, Integer> ids = new WeakHashMap<>();
  private AccessibilityServiceInfo info = new AccessibilityServiceInfo();

  /**
   * @param globalAction performs one of AccessibilityService.GLOBAL_ACTION_…; false if it cannot
   */
  AccessibilityServer(Supplier<List<Window>> windows, IntPredicate globalAction) {
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
        .on("performGlobalAction", call -> globalAction.test(call.number(0)))
        .as(FrameworkCalls.type("android.accessibilityservice.IAccessibilityServiceConnection"));
  }

  private Object setInfo(BinderCall call) {
    info = call.first(AccessibilityServiceInfo.class);
    return null;
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

  /** Returns the window's root, or that of the window in front, and tells all windows their ids. */
  private ViewRootImpl root(int id) {
    List<Window> shown = windows.get();
    ViewRootImpl found = null;
    for (Window window : shown) {
      int own = ids.computeIfAbsent(window.root(), root -> ids.size() + 1);
      FrameworkFields.set(
          FrameworkFields.get(window.root(), "mAttachInfo"), "mAccessibilityWindowId", own);
      if (own == id) {
        found = window.root();
      }
    }
    if (id == ACTIVE_WINDOW || id == ANY_WINDOW) {
      Window focused = WindowFocus.of(shown);
      return focused == null ? null : focused.root();
    }
    return found;
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
