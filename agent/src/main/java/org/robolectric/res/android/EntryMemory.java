// Remembers the entries and bags that an asset manager found, from API level 28 on.
// RememberingClass
// makes Robolectric's manager ask here first. Entries and bags never change.
package org.robolectric.res.android;

import java.util.List;
import org.robolectric.res.android.CppAssetManager2.FindEntryResult;
import org.robolectric.res.android.CppAssetManager2.ResolvedBag;

public final class EntryMemory {
  private EntryMemory() {}

  static ApkAssetsCookie recallFindEntry(
      CppAssetManager2 manager, int id, short density, Ref<FindEntryResult> out) {
    if (!isUsual(manager, density)) {
      return null;
    }
    ResourceState.FoundEntry found = ResourceState.of(manager).entries.get(id);
    if (found == null) {
      return null;
    }
    out.set(found.result());
    return found.cookie();
  }

  static void keepFindEntry(
      CppAssetManager2 manager,
      int id,
      short density,
      Ref<FindEntryResult> out,
      ApkAssetsCookie cookie) {
    if (cookie.intValue() != ApkAssetsCookie.kInvalidCookie && isUsual(manager, density)) {
      ResourceState.of(manager).entries.put(id, new ResourceState.FoundEntry(cookie, out.get()));
    }
  }

  static ResolvedBag recallGetBag(CppAssetManager2 manager, int id, List<Integer> children) {
    return ResourceState.of(manager).bags.get(id);
  }

  static void keepGetBag(
      CppAssetManager2 manager, int id, List<Integer> children, ResolvedBag bag) {
    // Below another one, a bag whose parents form a circle differs.
    if (bag != null && !children.isEmpty() && children.get(0) == id) {
      ResourceState.of(manager).bags.put(id, bag);
    }
  }

  /** A question for another density changes the manager's configuration, so it must be asked. */
  private static boolean isUsual(CppAssetManager2 manager, short density) {
    return density == 0 || density == manager.GetConfiguration().density;
  }
}
