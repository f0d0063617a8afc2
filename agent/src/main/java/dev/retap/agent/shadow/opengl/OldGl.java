// The object that a renderer gets for OpenGL ES 1. It answers what has an answer, and does nothing
// else.
package dev.retap.agent.shadow.opengl;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.IntBuffer;
import javax.microedition.khronos.opengles.GL;
import javax.microedition.khronos.opengles.GL10;
import javax.microedition.khronos.opengles.GL10Ext;
import javax.microedition.khronos.opengles.GL11;
import javax.microedition.khronos.opengles.GL11Ext;
import javax.microedition.khronos.opengles.GL11ExtensionPack;

final class OldGl implements InvocationHandler {
  private OldGl() {}

  static GL create() {
    Class<?>[] faces = {
      GL10.class, GL10Ext.class, GL11.class, GL11Ext.class, GL11ExtensionPack.class
    };
    return (GL) Proxy.newProxyInstance(OldGl.class.getClassLoader(), faces, new OldGl());
  }

  @Override
  public Object invoke(Object gl, Method method, Object[] arguments) {
    String name = method.getName();
    switch (name) {
      case "equals":
        return gl == arguments[0];
      case "hashCode":
        return System.identityHashCode(gl);
      case "toString":
        return "OpenGL ES 1";
      case "glGetString":
        return DriverAnswers.string((Integer) arguments[0]);
      case "glGetIntegerv":
        answer(arguments, (Integer) arguments[0]);
        return null;
      case "glCheckFramebufferStatusOES":
        return DriverAnswers.FRAMEBUFFER_COMPLETE;
      default:
        if (name.startsWith("glGen") && method.getParameterCount() > 1) {
          create(arguments);
        }
        return method.getReturnType() == boolean.class
            ? false
            : method.getReturnType() == int.class ? 0 : null;
    }
  }

  private static void answer(Object[] arguments, int name) {
    for (int i = 0; i < DriverAnswers.count(name); i++) {
      put(arguments, i, DriverAnswers.limit(name));
    }
  }

  private static void create(Object[] arguments) {
    for (int i = 0; i < (Integer) arguments[0]; i++) {
      put(arguments, i, DriverAnswers.create());
    }
  }

  /** Writes into an array with an offset, or into a buffer. */
  private static void put(Object[] arguments, int index, int number) {
    if (arguments[1] instanceof int[] numbers) {
      numbers[(Integer) arguments[2] + index] = number;
    } else if (arguments[1] instanceof IntBuffer numbers) {
      numbers.put(numbers.position() + index, number);
    }
  }
}
