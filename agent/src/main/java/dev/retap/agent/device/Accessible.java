// Asks a view's accessibility side, and only where it can say more than the view itself: nodes are
// dear, and most views have nothing to add. What an app throws here a user would never have met.
package dev.retap.agent.device;

import android.view.View;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityNodeProvider;
import java.lang.reflect.Field;
import java.util.Map;
import java.util.WeakHashMap;

final class Accessible {
  private static final String OWN = "onInitializeAccessibilityNodeInfo";
  private static final Field DELEGATE = delegateField();

  /** Whether classes of the app's describe themselves. Weak: each reset brings new classes. */
  private static final Map<Class<?>, Boolean> DESCRIBING = new WeakHashMap<>();

  private Accessible() {}

  static AccessibilityNodeProvider provider(View view) {
    try {
      return view.getAccessibilityNodeProvider();
    } catch (RuntimeException | LinkageError e) {
      return null;
    }
  }

  /** The view's node, or null where the view alone will do. */
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
    try {
      return DELEGATE.get(view) != null;
    } catch (IllegalAccessException e) {
      throw new LinkageError(OWN, e);
    }
  }

  private static boolean describesItself(Class<?> type) {
    if (type.getClassLoader() == View.class.getClassLoader()) {
      return false;
    }
    return DESCRIBING.computeIfAbsent(type, Accessible::declaresNode);
  }

  private static boolean declaresNode(Class<?> type) {
    for (Class<?> c = type; c.getClassLoader() != View.class.getClassLoader(); c = c.getSuperclass()) {
      try {
        c.getDeclaredMethod(OWN, AccessibilityNodeInfo.class);
        return true;
      } catch (NoSuchMethodException e) {
        // Perhaps its parent does.
      } catch (LinkageError e) {
        return false;
      }
    }
    return false;
  }

  private static Field delegateField() {
    try {
      Field field = View.class.getDeclaredField("mAccessibilityDelegate");
      field.setAccessible(true);
      return field;
    } catch (NoSuchFieldException e) {
      throw new LinkageError("View.mAccessibilityDelegate", e);
    }
  }
}
