// Objects of an ended process leave the framework's static collections.
package dev.retap.agent.world.memory;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.Test;

public final class StaticCollectionsTest {
  /** A class that an app's loader defines once more. */
  public static final class AppClass {
    public int field;
  }

  private final ClassLoader app = new AppLoader();

  @Test
  public void objectsOfTheLoaderAreRemovedAndOthersStay() throws Exception {
    Object own = app.loadClass(AppClass.class.getName()).getConstructor().newInstance();
    List<Object> list = new ArrayList<>(List.of(own, new AppClass(), "text"));
    StaticCollections.register(list);
    StaticCollections.removeObjectsOf(loader -> loader == app);
    assertEquals(2, list.size());
  }

  @Test
  public void mapsLoseEntriesByKeyAndByValue() throws Exception {
    Class<?> type = app.loadClass(AppClass.class.getName());
    Map<Object, Object> map = new HashMap<>();
    map.put(type, "a class as key");
    map.put("a field as value", type.getField("field"));
    map.put("stays", AppClass.class);
    StaticCollections.register(map);
    StaticCollections.removeObjectsOf(loader -> loader == app);
    assertEquals(Map.of("stays", AppClass.class), map);
  }

  @Test
  public void collectionsThatCannotChangeAreLeftAlone() throws Exception {
    List<Object> fixed = List.of(app.loadClass(AppClass.class.getName()));
    StaticCollections.register(fixed);
    StaticCollections.register(fixed);
    StaticCollections.register("not a collection");
    StaticCollections.register(null);
    StaticCollections.removeObjectsOf(loader -> loader == app);
    assertEquals(1, fixed.size());
  }

  private static final class AppLoader extends ClassLoader {
    AppLoader() {
      super(StaticCollectionsTest.class.getClassLoader());
    }

    @Override
    public Class<?> loadClass(String name) throws ClassNotFoundException {
      if (!name.equals(AppClass.class.getName())) {
        return super.loadClass(name);
      }
      Class<?> known = findLoadedClass(name);
      if (known != null) {
        return known;
      }
      try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }
}
