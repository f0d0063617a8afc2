// The parsed XML files of one list of files. A layout is opened for every view that it makes, and
// Robolectric would unpack and parse it each time. A parsed file never changes, so one serves all.
package org.robolectric.res.android;

import java.util.HashMap;
import java.util.Map;

public final class XmlFiles {
  /** The size of the parsed files of all lists, in bytes. Beyond it none is kept any more. */
  private static final int MOST_BYTES = 16 << 20;

  private static int bytes;

  /** Numbers of the parsed files by the number and the name of the file. */
  private final Map<String, Long> numbers = new HashMap<>();

  // ---- API level 28 and newer

  public static Long recallNativeOpenXmlAsset(long manager, int cookie, String name) {
    return name == null ? null : of(manager).recall(cookie, name);
  }

  public static void keepNativeOpenXmlAsset(long manager, int cookie, String name, long number) {
    if (name != null) {
      of(manager).keep(cookie, name, number);
    }
  }

  // ---- below API level 28

  public static Long recallOpenXmlAssetNative(CppAssetManager manager, int cookie, String name) {
    return name == null ? null : of(manager).recall(cookie, name);
  }

  public static void keepOpenXmlAssetNative(
      CppAssetManager manager, int cookie, String name, long number) {
    if (name != null) {
      of(manager).keep(cookie, name, number);
    }
  }

  // ---- all levels

  /** Returns true if the file stays, although one of its users needs it no more. */
  public static boolean recallNativeDestroy(long number) {
    ResXMLTree tree = Registries.NATIVE_RES_XML_TREES.peekNativeObject(number);
    return tree != null && ((Memory) (Object) tree).memory() != null;
  }

  public static void keepNativeDestroy(long number) {}

  synchronized Long recall(int cookie, String name) {
    return numbers.get(key(cookie, name));
  }

  synchronized void keep(int cookie, String name, long number) {
    ResXMLTree tree = Registries.NATIVE_RES_XML_TREES.peekNativeObject(number);
    if (tree != null && takeRoom(tree.mSize)) {
      ((Memory) (Object) tree).setMemory(tree);
      numbers.put(key(cookie, name), number);
    }
  }

  private static String key(int cookie, String name) {
    return cookie + ":" + name;
  }

  private static synchronized boolean takeRoom(int size) {
    boolean fits = bytes + size <= MOST_BYTES;
    bytes += fits ? size : 0;
    return fits;
  }

  private static XmlFiles of(long manager) {
    CppAssetManager2 named = Registries.NATIVE_ASSET_MANAGER_REGISTRY.getNativeObject(manager);
    return ResourceState.of(named).xmlFiles;
  }

  private static XmlFiles of(CppAssetManager manager) {
    return ResourceBags.state(manager.getResources()).xmlFiles;
  }
}
