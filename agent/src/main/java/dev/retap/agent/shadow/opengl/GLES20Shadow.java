// The questions of OpenGL ES 2 that have an answer. Calls without an answer do nothing.
package dev.retap.agent.shadow.opengl;

import android.opengl.GLES20;
import java.nio.IntBuffer;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;

@Implements(GLES20.class)
public class GLES20Shadow {
  @Implementation
  protected static int glGetError() {
    return GLES20.GL_NO_ERROR;
  }

  @Implementation
  protected static String glGetString(int name) {
    return DriverAnswers.string(name);
  }

  @Implementation
  protected static int glCreateProgram() {
    return DriverAnswers.create();
  }

  @Implementation
  protected static int glCreateShader(int type) {
    return DriverAnswers.create();
  }

  @Implementation
  protected static int glCheckFramebufferStatus(int target) {
    return DriverAnswers.FRAMEBUFFER_COMPLETE;
  }

  @Implementation
  protected static int glGetAttribLocation(int program, String name) {
    return location(name);
  }

  @Implementation
  protected static int glGetUniformLocation(int program, String name) {
    return location(name);
  }

  /** A small number, the same for the same name. */
  private static int location(String name) {
    if (name == null) {
      throw new IllegalArgumentException("name");
    }
    return Math.floorMod(name.hashCode(), 16);
  }

  @Implementation
  protected static String glGetProgramInfoLog(int program) {
    return "";
  }

  @Implementation
  protected static String glGetShaderInfoLog(int shader) {
    return "";
  }

  @Implementation
  protected static void glGetShaderiv(int shader, int name, int[] answers, int offset) {
    answers[offset] = DriverAnswers.status(name);
  }

  @Implementation
  protected static void glGetShaderiv(int shader, int name, IntBuffer answers) {
    answers.put(answers.position(), DriverAnswers.status(name));
  }

  @Implementation
  protected static void glGetProgramiv(int program, int name, int[] answers, int offset) {
    answers[offset] = DriverAnswers.status(name);
  }

  @Implementation
  protected static void glGetProgramiv(int program, int name, IntBuffer answers) {
    answers.put(answers.position(), DriverAnswers.status(name));
  }

  @Implementation
  protected static void glGetIntegerv(int name, int[] answers, int offset) {
    for (int i = 0; i < DriverAnswers.count(name); i++) {
      answers[offset + i] = DriverAnswers.limit(name);
    }
  }

  @Implementation
  protected static void glGetIntegerv(int name, IntBuffer answers) {
    for (int i = 0; i < DriverAnswers.count(name); i++) {
      answers.put(answers.position() + i, DriverAnswers.limit(name));
    }
  }

  @Implementation
  protected static void glGenBuffers(int count, int[] names, int offset) {
    create(count, names, offset);
  }

  @Implementation
  protected static void glGenBuffers(int count, IntBuffer names) {
    create(count, names);
  }

  @Implementation
  protected static void glGenTextures(int count, int[] names, int offset) {
    create(count, names, offset);
  }

  @Implementation
  protected static void glGenTextures(int count, IntBuffer names) {
    create(count, names);
  }

  @Implementation
  protected static void glGenFramebuffers(int count, int[] names, int offset) {
    create(count, names, offset);
  }

  @Implementation
  protected static void glGenFramebuffers(int count, IntBuffer names) {
    create(count, names);
  }

  @Implementation
  protected static void glGenRenderbuffers(int count, int[] names, int offset) {
    create(count, names, offset);
  }

  @Implementation
  protected static void glGenRenderbuffers(int count, IntBuffer names) {
    create(count, names);
  }

  private static void create(int count, int[] names, int offset) {
    for (int i = 0; i < count; i++) {
      names[offset + i] = DriverAnswers.create();
    }
  }

  private static void create(int count, IntBuffer names) {
    for (int i = 0; i < count; i++) {
      names.put(names.position() + i, DriverAnswers.create());
    }
  }
}
