// Runs the static initialiser of a framework class again. Robolectric makes that possible: it
// turns the initialiser into a method.
package dev.retap.agent.device.robolectric;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.robolectric.internal.bytecode.ShadowConstants;

public final class StaticInitializer {
  private StaticInitializer() {}

  /**
   * Clears the class's static objects and initialises them anew. Fields that the initialiser does
   * not set were made on demand, and will be again.
   */
  public static void rerun(Class<?> type) {
    try {
      for (Field field : type.getDeclaredFields()) {
        if (Modifier.isStatic(field.getModifiers())
            && !field.getType().isPrimitive()
            && field.getType() != String.class) {
          field.setAccessible(true);
          field.set(null, null);
        }
      }
      for (Method method : type.getDeclaredMethods()) {
        if (method.getName().equals(ShadowConstants.STATIC_INITIALIZER_METHOD_NAME)) {
          method.setAccessible(true);
          method.invoke(null);
        }
      }
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(type.getName(), e);
    }
  }
}
