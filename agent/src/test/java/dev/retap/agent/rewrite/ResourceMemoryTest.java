// Resources that remember answer as resources that look everything up each time.
package dev.retap.agent.rewrite;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.Test;

public final class ResourceMemoryTest {
  private static final String READER = "org.robolectric.res.android.";
  private static final String APK = "../fixtures/modern.apk";
  private static final int STYLES = 0x7f000000;
  private static final int VALUES = 7;
  private static final int START_TAG = 0x102;

  @Test
  public void rememberedStylesAreThoseOfNewResources() throws Exception {
    List<String> plain = new Reader(false).answers(160);
    assertTrue("styles have values: " + plain.size(), plain.size() > 200);
    Reader remembering = new Reader(true);
    assertEquals("the first time", plain, remembering.answers(160));
    assertEquals("the second time", plain, remembering.answers(160));
    List<String> dense = remembering.answers(640);
    assertNotEquals("another configuration has other values", plain, dense);
    assertEquals(new Reader(false).answers(640), dense);
    assertEquals("the first configuration again", plain, remembering.answers(160));
  }

  @Test
  public void themesThatShareTheirValuesChangeAlone() throws Exception {
    List<String> plain = new Reader(false).changes();
    Reader remembering = new Reader(true);
    assertEquals("the first time", plain, remembering.changes());
    assertEquals("the second time", plain, remembering.changes());
  }

  /** Loads the resource reader, with or without its memory. */
  private static final class Reader extends ClassLoader {
    private final boolean remembers;
    private final Object assets;
    private final List<Integer> styles = new ArrayList<>();
    private final List<Object> files = new ArrayList<>();
    private final int[] attributes;

    Reader(boolean remembers) throws Exception {
      this.remembers = remembers;
      assets = callStatic(type("CppApkAssets"), "Load", APK, false);
      Object table = call(assets, "GetLoadedArsc");
      try (ZipFile apk = new ZipFile(APK)) {
        for (ZipEntry entry : apk.stream().toList()) {
          if (entry.getName().startsWith("res/") && entry.getName().endsWith(".xml")) {
            files.add(parse(apk.getInputStream(entry).readAllBytes()));
          }
        }
      }
      Object manager = manager(160);
      for (int type = 1; type < 32; type++) {
        for (int entry = 0; entry < 300; entry++) {
          int id = STYLES | type << 16 | entry;
          if (isStyle(table, type) && call(manager, "GetBag", id) != null) {
            styles.add(id);
          }
        }
      }
      Set<Integer> keys = new TreeSet<>();
      for (int style : styles) {
        for (Object entry : (Object[]) get(call(manager, "GetBag", style), "entries")) {
          keys.add((int) get(entry, "key"));
        }
      }
      attributes = keys.stream().mapToInt(key -> key).toArray();
    }

    private static boolean isStyle(Object table, int type) throws Exception {
      Object ofApp = call(table, "GetPackageById", 0x7f);
      Object names = call(ofApp, "GetTypeStringPool");
      return "style".equals(call(names, "stringAt", type - 1));
    }

    /** Returns the values of many attributes in many themes, on a display of this density. */
    List<String> answers(int density) throws Exception {
      List<String> answers = resources(manager(density));
      for (int i = 0; i < files.size(); i += 3) {
        Object theme = call(manager(density), "NewTheme");
        call(theme, "ApplyStyle", style(i), true);
        Object copy = call(manager(density), "NewTheme");
        call(copy, "SetTo", theme);
        call(copy, "ApplyStyle", style(i + 1), false);
        answers.add(values(theme, null, 0));
        answers.add(values(copy, null, style(i + 2)));
        Object parser = parser(files.get(i));
        for (int event = 0; event >= 0 && event != 1; event = (int) call(parser, "next")) {
          if (event == START_TAG) {
            answers.add(values(copy, parser, 0));
          }
        }
      }
      return answers;
    }

    /** Returns the values of all resources. */
    private List<String> resources(Object manager) throws Exception {
      List<String> values = new ArrayList<>();
      for (int type = 1; type < 32; type++) {
        for (int entry = 0; entry < 300; entry++) {
          Object value = reference(null);
          Object configuration = reference(null);
          Object flags = reference(0);
          int id = STYLES | type << 16 | entry;
          Object cookie =
              call(manager, "GetResource", id, true, (short) 0, value, configuration, flags);
          if ((int) call(cookie, "intValue") >= 0) {
            values.add(call(value, "get") + " " + call(flags, "get"));
          }
        }
      }
      return values;
    }

    private Object reference(Object value) throws Exception {
      return type("Ref").getConstructor(Object.class).newInstance(value);
    }

    private int style(int index) {
      return styles.get(index % styles.size());
    }

    /** Returns the values of themes that were equal once. */
    List<String> changes() throws Exception {
      Object manager = manager(160);
      List<Object> themes = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        Object theme = call(manager, "NewTheme");
        call(theme, "ApplyStyle", style(0), true);
        themes.add(theme);
      }
      call(themes.get(1), "ApplyStyle", style(5), true);
      call(themes.get(2), "SetTo", themes.get(1));
      call(themes.get(2), "ApplyStyle", style(9), false);
      call(themes.get(3), "Clear");
      call(themes.get(3), "ApplyStyle", style(9), true);
      List<String> values = new ArrayList<>();
      for (Object theme : themes) {
        values.add(values(theme, null, 0) + call(theme, "GetChangingConfigurations"));
      }
      return values;
    }

    private String values(Object theme, Object parser, int defaultStyle) throws Exception {
      int[] values = new int[attributes.length * VALUES];
      int[] indices = new int[attributes.length + 1];
      Method apply = null;
      for (Method method : type("AttributeResolution10").getMethods()) {
        apply = method.getName().equals("ApplyStyle") ? method : apply;
      }
      apply.invoke(
          null, theme, parser, 0, defaultStyle, attributes, attributes.length, values, indices);
      int[] used = Arrays.copyOf(indices, indices[0] + 1);
      return Arrays.hashCode(values) + Arrays.toString(used);
    }

    private Object manager(int density) throws Exception {
      Object configuration = make("ResTable_config");
      set(configuration, "density", density);
      set(configuration, "sdkVersion", 34);
      Object manager = make("CppAssetManager2");
      call(manager, "SetApkAssets", new ArrayList<>(List.of(assets)), true);
      call(manager, "SetConfiguration", configuration);
      return manager;
    }

    private Object parse(byte[] bytes) throws Exception {
      Constructor<?> maker = type("ResXMLTree").getConstructor(type("DynamicRefTable"));
      Object file = maker.newInstance((Object) null);
      assertEquals(0, call(file, "setTo", bytes, bytes.length, true));
      if (remembers) {
        call(file, "setMemory", file);
      }
      return file;
    }

    private Object parser(Object file) throws Exception {
      Object parser = type("ResXMLParser").getConstructor(type("ResXMLTree")).newInstance(file);
      call(parser, "restart");
      return parser;
    }

    private Class<?> type(String name) throws ClassNotFoundException {
      return loadClass(READER + name);
    }

    private Object make(String name) throws Exception {
      return type(name).getConstructor().newInstance();
    }

    private static Object call(Object target, String name, Object... arguments) throws Exception {
      return call(target.getClass(), target, name, arguments);
    }

    private static Object callStatic(Class<?> type, String name, Object... arguments)
        throws Exception {
      return call(type, null, name, arguments);
    }

    private static Object call(Class<?> type, Object target, String name, Object... arguments)
        throws Exception {
      for (Class<?> owner = type; owner != null; owner = owner.getSuperclass()) {
        for (Method method : owner.getDeclaredMethods()) {
          if (method.getName().equals(name) && fits(method, arguments)) {
            method.setAccessible(true);
            try {
              return method.invoke(target, arguments);
            } catch (InvocationTargetException e) {
              throw new AssertionError(name, e.getCause());
            }
          }
        }
      }
      throw new NoSuchMethodException(type + "." + name);
    }

    private static boolean fits(Method method, Object[] arguments) {
      Class<?>[] types = method.getParameterTypes();
      boolean fits = types.length == arguments.length;
      for (int i = 0; fits && i < types.length; i++) {
        fits = types[i].isPrimitive() || types[i].isInstance(arguments[i]);
      }
      return fits;
    }

    private static Object get(Object target, String name) throws Exception {
      return target.getClass().getField(name).get(target);
    }

    private static void set(Object target, String name, int value) throws Exception {
      Field field = target.getClass().getDeclaredField(name);
      field.setAccessible(true);
      field.setInt(target, value);
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
        byte[] bytes = RewrittenClasses.bytesOf(type);
        byte[] rewritten = remembers ? WorldAgent.rewriteOutsideJdk(type, bytes, null) : null;
        bytes = rewritten == null ? bytes : rewritten;
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }
}
