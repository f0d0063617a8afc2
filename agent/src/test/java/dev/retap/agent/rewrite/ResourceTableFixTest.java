// A resource table that keeps its bags answers as one that builds each anew.
package dev.retap.agent.rewrite;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipFile;
import org.junit.Test;
import org.robolectric.res.android.ResTable;

public final class ResourceTableFixTest {
  private static final String READER = "org.robolectric.res.android.";
  private static final int APP = 0x7f << 24;

  @Test
  public void keptAnswersAreTheAnswersOfANewTable() throws Exception {
    Reader rewritten = new Reader(true);
    Object table = rewritten.read(Reader.resources());
    List<String> first = rewritten.answers(table, 160);
    assertTrue("bags and values are found", first.size() > 1000);
    assertEquals(new Reader(false).newAnswers(160), first);
    assertEquals("the second time", first, rewritten.answers(table, 160));
    List<String> dense = rewritten.answers(table, 640);
    assertNotEquals("another configuration has other answers", first, dense);
    assertEquals(new Reader(false).newAnswers(640), dense);
    assertEquals("the first configuration again", first, rewritten.answers(table, 160));
    Object shares = rewritten.tableOf(table);
    assertEquals("another table of the same files", first, rewritten.answers(shares, 160));
  }

  @Test
  public void aCallerMayChangeTheConfigurationItGets() throws Exception {
    Reader rewritten = new Reader(true);
    Object table = rewritten.read(Reader.resources());
    List<String> first = rewritten.answers(table, 160);
    rewritten.changesConfigurations = true;
    rewritten.answers(table, 160);
    rewritten.changesConfigurations = false;
    assertEquals(first, rewritten.answers(table, 160));
  }

  /** Loads the resource reader, with or without its table rewritten. */
  private static final class Reader extends ClassLoader {
    private final boolean rewrites;
    boolean changesConfigurations;

    Reader(boolean rewrites) {
      this.rewrites = rewrites;
    }

    static byte[] resources() throws IOException {
      try (ZipFile apk = new ZipFile("../fixtures/modern.apk")) {
        return apk.getInputStream(apk.getEntry("resources.arsc")).readAllBytes();
      }
    }

    List<String> newAnswers(int density) throws Exception {
      return answers(read(resources()), density);
    }

    Object read(byte[] bytes) throws Exception {
      Object table = make("ResTable");
      assertEquals(
          0, call(table, "addInternal", bytes, bytes.length, null, 0, false, 1, true, false));
      return table;
    }

    Object tableOf(Object other) throws Exception {
      Object table = make("ResTable");
      assertEquals(0, call(table, "add", other, false));
      return table;
    }

    List<String> answers(Object table, int density) throws Exception {
      Object parameters = make("ResTable_config");
      set(parameters, "density", density);
      set(parameters, "sdkVersion", 27);
      call(table, "setParameters", parameters);
      List<String> answers = new ArrayList<>();
      for (Object group : ((Map<?, ?>) get(table, "mPackageGroups")).values()) {
        for (Map.Entry<?, ?> type : ((Map<?, ?>) get(group, "types")).entrySet()) {
          int first = APP | (int) type.getKey() + 1 << 16;
          int count = (int) get(((List<?>) type.getValue()).get(0), "entryCount");
          for (int id = first; id < first + count; id++) {
            addBag(answers, table, id);
            addValue(answers, table, id);
          }
        }
      }
      return answers;
    }

    private void addBag(List<String> answers, Object table, int id) throws Exception {
      Object out = ref(null);
      Object flags = ref(0);
      int count = (int) call(table, "getBagLocked", id, out, flags);
      if (count > 0) {
        StringBuilder text = new StringBuilder().append(id).append(' ').append(get(flags, "t"));
        Object entries = get(out, "t");
        for (int i = 0; i < count; i++) {
          Object map = get(Array.get(entries, i), "map");
          text.append(' ').append(get(get(map, "name"), "ident"));
          text.append('=').append(get(get(map, "value"), "data"));
        }
        answers.add(text.toString());
      }
    }

    private void addValue(List<String> answers, Object table, int id) throws Exception {
      Object out = ref(null);
      Object flags = ref(0);
      Object chosen = ref(null);
      int block = (int) call(table, "getResource", id, out, true, 0, flags, chosen);
      if (block >= 0) {
        Object value = get(out, "t");
        Object configuration = get(chosen, "t");
        answers.add(id + ":" + get(value, "data") + "@" + get(configuration, "density"));
        if (changesConfigurations) {
          set(configuration, "density", 1);
        }
      }
    }

    private Object ref(Object value) throws Exception {
      return loadClass(READER + "Ref").getConstructor(Object.class).newInstance(value);
    }

    private Object make(String type) throws Exception {
      return loadClass(READER + type).getConstructor().newInstance();
    }

    private static Object call(Object target, String name, Object... arguments) throws Exception {
      Method method =
          Arrays.stream(target.getClass().getDeclaredMethods())
              .filter(it -> it.getName().equals(name) && !it.isSynthetic())
              .filter(it -> it.getParameterCount() == arguments.length)
              .findFirst()
              .orElseThrow();
      method.setAccessible(true);
      return method.invoke(target, arguments);
    }

    private static Object get(Object target, String field) throws Exception {
      return field(target, field).get(target);
    }

    private static void set(Object target, String field, Object value) throws Exception {
      field(target, field).set(target, value);
    }

    private static Field field(Object target, String name) throws Exception {
      Field field = target.getClass().getDeclaredField(name);
      field.setAccessible(true);
      return field;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith(READER)) {
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
            rewrites && name.equals(ResTable.class.getName())
                ? WorldAgent.rewriteOutsideJdk(type, original, null)
                : original;
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }
}
