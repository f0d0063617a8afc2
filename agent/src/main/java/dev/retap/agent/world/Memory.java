// The JDK's door to raw memory, needed where the JVM itself keeps what the seed must decide.
package dev.retap.agent.world;

import java.lang.reflect.Field;
import sun.misc.Unsafe;

final class Memory {
  private Memory() {}

  static Unsafe unsafe() {
    try {
      Field field = Unsafe.class.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      return (Unsafe) field.get(null);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("this JDK hides its Unsafe", e);
    }
  }
}
