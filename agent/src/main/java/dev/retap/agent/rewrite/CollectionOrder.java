// The order in which the JDK's immutable sets and maps tell their elements. The JDK draws it anew
// in
// each process, so that nobody relies on it; here it is always the same.
package dev.retap.agent.rewrite;

import dev.retap.agent.world.memory.UnsafeMemory;
import java.lang.reflect.Field;
import sun.misc.Unsafe;

final class CollectionOrder {
  private static final String COLLECTIONS = "java.util.ImmutableCollections";
  private static final long SALT = 0x243F_6A88L;

  private CollectionOrder() {}

  /** Sets the order before anything of an app runs. Only iterators look at it, no look-up does. */
  static void fix() throws ReflectiveOperationException {
    Class<?> collections = Class.forName(COLLECTIONS);
    Unsafe unsafe = UnsafeMemory.unsafe();
    Field salt = collections.getDeclaredField("SALT32L");
    unsafe.putLong(unsafe.staticFieldBase(salt), unsafe.staticFieldOffset(salt), SALT);
    Field reverse = collections.getDeclaredField("REVERSE");
    unsafe.putBoolean(unsafe.staticFieldBase(reverse), unsafe.staticFieldOffset(reverse), false);
  }
}
