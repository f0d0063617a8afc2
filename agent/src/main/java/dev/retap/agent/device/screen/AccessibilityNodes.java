// Asks a view for its accessibility node where it can say more than the view itself. Nodes are
// expensive, and most views have nothing to add. Exceptions that an app throws here are ignored,
// because a user would never have met them.
package dev.retap.agent.device.screen;

import android.view.View;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityNodeProvider;
import dev.retap.agent.device.reflect.FrameworkFields;
import java.lang.reflect.Field;
import java.util.Map;
import java.util.WeakHashMap;

final class AccessibilityNodes {
  private static final String DESCRIBE = "onInitializeAccessibilityNodeInfo";
  private static final Field DELEGATE = FrameworkFields.find(View.class, "mAccessibilityDelegate");

  /** Caches {@link #declaresNode}. Weak, because each reset brings new classes. */
  private static final Map<Class<?>, Boolean> DESCRIBING = new WeakHashMap<>();

  private AccessibilityNodes() {}

  static AccessibilityNodeProvider provider(View view) {
    try {
      return view.getAccessibilityNodeProvider();
    } catch (RuntimeException | LinkageError e) {
      return null;
    }
  }

  /** Returns the view's node, or null if it says no more than the view. */
  static AccessibilityNodeInfo node(View view, AccessibilityNodeProvider provider) {
    if (provider == null && !hasDelegate(view) && !describesItself(view.getClass())) {
      return null;
    }
    try {
      return provider == null
          ? view.createAccessibilityNodeInfo()
          : provider.createAccessibilityNodeInfo(View.NO_ID);
    } catch (RuntimeException | LinkageError e) {
      return null;
    }
  }

  private static boolean hasDelegate(View view) {
    return FrameworkFields.read(DELEGATE, view) != null;
  }

  private static boolean describesItself(Class<?> type) {
    if (type.getClassLoader() == View.class.getClassLoader()) {
      return false;
    }
    return DESCRIBING.computeIfAbsent(type, AccessibilityNodes::declaresNode);
  }

  private static boolean declaresNode(Class<?> type) {
    for (Class<?> c = type;
        c.getClassLoader() != View.class.getClassLoader();
        c = c.getSuperclass()) {
      try {
        c.getDeclaredMethod(DESCRIBE, AccessibilityNodeInfo.class);
        return true;
      } catch (NoSuchMethodException e) {
        // A superclass may declare it.
      } catch (LinkageError e) {
        return false;
      }
    }
    return false;
  }
}
