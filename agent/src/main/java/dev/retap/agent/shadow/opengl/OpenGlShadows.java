// The shadows of this package.
package dev.retap.agent.shadow.opengl;

import java.util.List;

public final class OpenGlShadows {
  private OpenGlShadows() {}

  public static List<Class<?>> all() {
    return List.of(
        EglHelperShadow.class, GLES10Shadow.class, GLES20Shadow.class, GLUtilsShadow.class);
  }

  /** Forgets the process that has ended. */
  public static void reset() {
    DriverAnswers.forget();
  }
}
