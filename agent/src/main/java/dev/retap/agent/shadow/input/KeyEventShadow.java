// The names of keys, and the numbers of their events.
package dev.retap.agent.shadow.input;

import android.view.KeyEvent;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.Map;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowKeyEvent;

@Implements(KeyEvent.class)
public class KeyEventShadow extends ShadowKeyEvent {
  private static final String PREFIX = "KEYCODE_";

  private static Map<Integer, String> names;
  private static int lastId;

  /** Returns the name without its prefix, or null. */
  @Implementation
  protected static synchronized String nativeKeyCodeToString(int code) {
    if (names == null) {
      names = readNames();
    }
    return names.get(code);
  }

  @Implementation(minSdk = 30)
  protected static int nativeNextId() {
    return ++lastId;
  }

  private static Map<Integer, String> readNames() {
    Map<Integer, String> names = new HashMap<>();
    for (Field field : KeyEvent.class.getDeclaredFields()) {
      if (field.getName().startsWith(PREFIX)
          && Modifier.isStatic(field.getModifiers())
          && field.getType() == int.class) {
        try {
          field.setAccessible(true);
          names.putIfAbsent(field.getInt(null), field.getName().substring(PREFIX.length()));
        } catch (IllegalAccessException e) {
          throw new LinkageError(field.getName(), e);
        }
      }
    }
    return names;
  }
}
