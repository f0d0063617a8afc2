// A pool with an index finds what one without it finds.
package dev.retap.agent.rewrite;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotSame;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.Test;
import org.robolectric.res.android.ResStringPool;

public final class StringPoolIndexTest {
  private static final int HEADER_BYTES = 28;
  private static final int UTF8 = 256;
  private static final int SORTED = 1;

  /** Two of the strings have the same hash code, and one is there twice. */
  private static final List<String> STRINGS = List.of("Aa", "icon", "BB", "", "icon", "title");

  private static final List<String> ASKED = List.of("Aa", "BB", "icon", "title", "", "none", "C#");

  @Test
  public void aStringIsFoundAtItsLastPosition() throws Exception {
    assertEquals(List.of(0, 2, 4, 5, 3), found(STRINGS, UTF8).subList(0, 5));
    assertSameAsWithoutIndex(STRINGS, UTF8);
  }

  @Test
  public void aSortedPoolIsBisected() throws Exception {
    assertSameAsWithoutIndex(List.of("", "Aa", "BB", "icon", "title"), UTF8 | SORTED);
    assertSameAsWithoutIndex(STRINGS, UTF8 | SORTED);
  }

  @Test
  public void anEmptyPoolHasNothing() throws Exception {
    assertSameAsWithoutIndex(List.of(), UTF8);
  }

  private static void assertSameAsWithoutIndex(List<String> strings, int flags) throws Exception {
    ResStringPool pool = new ResStringPool();
    pool.setTo(pool(strings, flags), 0, pool(strings, flags).capacity(), true);
    assertEquals(ASKED.stream().map(pool::indexOfString).toList(), found(strings, flags));
  }

  /** Asks a rewritten pool twice, because the first question makes the index. */
  private static List<Integer> found(List<String> strings, int flags) throws Exception {
    Class<?> type = new Reader().loadClass(ResStringPool.class.getName());
    assertNotSame(ResStringPool.class, type);
    Object pool = type.getConstructor().newInstance();
    ByteBuffer bytes = pool(strings, flags);
    type.getMethod("setTo", ByteBuffer.class, int.class, int.class, boolean.class)
        .invoke(pool, bytes, 0, bytes.capacity(), true);
    List<Integer> first = null;
    for (int i = 0; i < 2; i++) {
      List<Integer> found = new java.util.ArrayList<>();
      for (String string : ASKED) {
        found.add((Integer) type.getMethod("indexOfString", String.class).invoke(pool, string));
      }
      first = first == null ? found : first;
      assertEquals(first, found);
    }
    return first;
  }

  private static ByteBuffer pool(List<String> strings, int flags) {
    int start = HEADER_BYTES + 4 * strings.size();
    int size = start + strings.stream().mapToInt(string -> string.length() + 3).sum() + 1;
    ByteBuffer bytes = ByteBuffer.allocate(size + 3 & ~3).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putShort((short) 1).putShort((short) HEADER_BYTES).putInt(bytes.capacity());
    bytes.putInt(strings.size()).putInt(0).putInt(flags).putInt(start).putInt(0);
    int at = 0;
    for (String string : strings) {
      bytes.putInt(at);
      at += string.length() + 3;
    }
    for (String string : strings) {
      bytes.put((byte) string.length()).put((byte) string.length());
      bytes.put(string.getBytes(StandardCharsets.UTF_8)).put((byte) 0);
    }
    return bytes.rewind();
  }

  /** Loads the resource reader with its pools rewritten. */
  private static final class Reader extends ClassLoader {
    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith("org.robolectric.res.android.")) {
        return super.loadClass(name, resolve);
      }
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : define(name);
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      try {
        String type = name.replace('.', '/');
        byte[] original = RewrittenClasses.bytesOf(type);
        byte[] bytes =
            name.equals(ResStringPool.class.getName())
                ? MethodReplacer.rewrite(type, original)
                : original;
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }
}
