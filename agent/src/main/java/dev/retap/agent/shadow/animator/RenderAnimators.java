// The animators that a process has handed to the renderer. On a phone the renderer lets go of an
// animator when it ends. Nobody plays the renderer here, so its native half would keep the
// animator, and with it the view and the whole process, for ever.
package dev.retap.agent.shadow.animator;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;

public final class RenderAnimators {
  /** RenderNodeAnimator.STATE_FINISHED: the native half's last call changes nothing then. */
  private static final int FINISHED = 3;

  /** The field in which Robolectric keeps an object's shadow. */
  private static final String SHADOW = "__robo_data__";

  private static final Set<Object> HANDED_OVER =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private RenderAnimators() {}

  static void add(Object animator) {
    HANDED_OVER.add(animator);
  }

  /**
   * Takes all that the animators of the ended process refer to from them. Without its last user the
   * native half ends too, and lets the animator go.
   */
  public static void forget() {
    for (Object animator : HANDED_OVER.toArray()) {
      for (Class<?> type = animator.getClass(); type != null; type = type.getSuperclass()) {
        for (Field field : type.getDeclaredFields()) {
          clear(animator, field);
        }
      }
    }
    HANDED_OVER.clear();
  }

  private static void clear(Object animator, Field field) {
    boolean isState = field.getName().equals("mState");
    boolean isReference = !field.getType().isPrimitive() && !field.getName().equals(SHADOW);
    if (Modifier.isStatic(field.getModifiers()) || !isState && !isReference) {
      return;
    }
    try {
      field.setAccessible(true);
      field.set(animator, isState ? FINISHED : null);
    } catch (IllegalAccessException e) {
      throw new LinkageError(field.getName(), e);
    }
  }
}
