// The positions of the strings in a pool of Robolectric's resource reader. An app that asks for a
// resource by its name looks through all names of its resources, and Robolectric decodes each of
// them for that. The class lives in the reader's package because the reader keeps it in a field
// that MethodReplacer adds.
package org.robolectric.res.android;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public final class StringPoolIndex {
  private static final int SORTED = 1;
  private static final int NOT_FOUND = Errors.NAME_NOT_FOUND;
  private static final VarHandle INDEX = field("stringPoolIndex", Object.class);
  private static final VarHandle HEADER =
      field("mHeader", ResourceTypes.ResStringPool_header.class);

  /** Positions plus one at the place that the string's hash code gives, or at the next free one. */
  private final int[] table;

  private StringPoolIndex(ResStringPool pool) {
    int count = pool.size();
    table = new int[Integer.highestOneBit(Math.max(1, count)) << 2];
    for (int i = 0; i < count; i++) {
      String string = pool.stringAt(i);
      if (string != null) {
        table[place(pool, string)] = i + 1;
      }
    }
  }

  /** Returns the last position of the string, as the method that this one replaces does. */
  public static int indexOfString(ResStringPool pool, String string) {
    if (pool.getError() != Errors.NO_ERROR) {
      return pool.getError();
    }
    if (string == null) {
      return pool.size();
    }
    if ((((ResourceTypes.ResStringPool_header) HEADER.get(pool)).flags & SORTED) != 0) {
      return search(pool, string);
    }
    StringPoolIndex index = (StringPoolIndex) INDEX.get(pool);
    if (index == null) {
      index = new StringPoolIndex(pool);
      INDEX.set(pool, index);
    }
    int position = index.table[index.place(pool, string)];
    return position == 0 ? NOT_FOUND : position - 1;
  }

  /** Returns the place of the string, which is empty if the pool does not have it. */
  private int place(ResStringPool pool, String string) {
    int hash = string.hashCode();
    int place = (hash ^ hash >>> 16) & table.length - 1;
    while (table[place] != 0 && !string.equals(pool.stringAt(table[place] - 1))) {
      place = place + 1 & table.length - 1;
    }
    return place;
  }

  private static int search(ResStringPool pool, String string) {
    int low = 0;
    int high = pool.size() - 1;
    while (low <= high) {
      int middle = low + (high - low) / 2;
      String found = pool.stringAt(middle);
      int order = found == null ? -1 : found.compareTo(string);
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return NOT_FOUND;
  }

  private static VarHandle field(String name, Class<?> type) {
    try {
      return MethodHandles.privateLookupIn(ResStringPool.class, MethodHandles.lookup())
          .findVarHandle(ResStringPool.class, name, type);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the resource reader's pools have no " + name, e);
    }
  }
}
