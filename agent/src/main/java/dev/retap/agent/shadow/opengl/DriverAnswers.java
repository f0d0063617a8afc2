// What the driver of OpenGL answers: names of new objects, limits, and that all went well.
package dev.retap.agent.shadow.opengl;

import java.util.concurrent.atomic.AtomicInteger;

final class DriverAnswers {
  static final int FRAMEBUFFER_COMPLETE = 0x8CD5;

  private static final int VENDOR = 0x1F00;
  private static final int RENDERER = 0x1F01;
  private static final int VERSION = 0x1F02;
  private static final int EXTENSIONS = 0x1F03;
  private static final int SHADING_LANGUAGE_VERSION = 0x8B8C;

  private static final int COMPILE_STATUS = 0x8B81;
  private static final int LINK_STATUS = 0x8B82;
  private static final int VALIDATE_STATUS = 0x8B83;

  private static final AtomicInteger LAST = new AtomicInteger();

  private DriverAnswers() {}

  /** Begins to number objects anew, as a new process does. */
  static void forget() {
    LAST.set(0);
  }

  static int create() {
    return LAST.incrementAndGet();
  }

  static String string(int name) {
    return switch (name) {
      case VENDOR -> "retap";
      case RENDERER -> "nothing is drawn";
      case VERSION -> "OpenGL ES 2.0";
      case EXTENSIONS -> "";
      case SHADING_LANGUAGE_VERSION -> "OpenGL ES GLSL ES 1.00";
      default -> null;
    };
  }

  /** The state of a shader or a program: it compiled, linked, is valid, and has no log. */
  static int status(int name) {
    return name == COMPILE_STATUS || name == LINK_STATUS || name == VALIDATE_STATUS ? 1 : 0;
  }

  /** How many numbers a question for a limit asks for. */
  static int count(int name) {
    return switch (name) {
      case 0x0BA2, 0x0C10 -> 4; // viewport, scissor box
      case 0x0D3A, 0x846D, 0x846E -> 2; // sizes of viewports, points and lines
      default -> 1;
    };
  }

  /** The limits of a small phone. */
  static int limit(int name) {
    return switch (name) {
      case 0x0D33 -> 4096; // texture size
      case 0x851C -> 4096; // size of a cube's side
      case 0x84E8 -> 4096; // size of a render buffer
      case 0x0D3A -> 4096; // size of the viewport
      case 0x8872 -> 8; // texture units
      case 0x8B4C -> 8; // texture units of a vertex shader
      case 0x8B4D -> 16; // texture units in all
      case 0x84E2 -> 2; // texture units of OpenGL ES 1
      case 0x8869 -> 16; // attributes of a vertex
      case 0x8DFB -> 256; // vectors of a vertex shader
      case 0x8DFC -> 15; // vectors between shaders
      case 0x8DFD -> 64; // vectors of a fragment shader
      case 0x0D52, 0x0D53, 0x0D54, 0x0D55 -> 8; // bits of red, green, blue, alpha
      case 0x0D56 -> 16; // bits of depth
      default -> 0;
    };
  }
}
