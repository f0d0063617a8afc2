// The questions of OpenGL ES 1 that have an answer, where an app asks the class and not its
// renderer's object.
package dev.retap.agent.shadow.opengl;

import android.opengl.GLES10;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;

@Implements(GLES10.class)
public class GLES10Shadow {
  @Implementation
  protected static int glGetError() {
    return GLES10.GL_NO_ERROR;
  }

  @Implementation
  protected static String glGetString(int name) {
    return DriverAnswers.string(name);
  }

  @Implementation
  protected static void glGetIntegerv(int name, int[] answers, int offset) {
    for (int i = 0; i < DriverAnswers.count(name); i++) {
      answers[offset + i] = DriverAnswers.limit(name);
    }
  }

  @Implementation
  protected static void glGenTextures(int count, int[] names, int offset) {
    for (int i = 0; i < count; i++) {
      names[offset + i] = DriverAnswers.create();
    }
  }
}
