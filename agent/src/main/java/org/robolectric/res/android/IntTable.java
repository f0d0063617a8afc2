// A table from identifiers of resources to what was found for them. The JDK's tables would ask the
// world for hash codes. Zero is no identifier.
package org.robolectric.res.android;

final class IntTable<T> {
  /** Beyond this many entries all are forgotten. */
  private static final int MOST_ENTRIES = 16_384;

  private int[] keys = new int[64];
  private Object[] values = new Object[64];
  private int size;

  @SuppressWarnings("unchecked")
  synchronized T get(int key) {
    return (T) values[place(key)];
  }

  synchronized void put(int key, T value) {
    if (size >= MOST_ENTRIES) {
      resize(64);
    } else if (2 * size >= keys.length) {
      resize(2 * keys.length);
    }
    int place = place(key);
    if (keys[place] == 0) {
      keys[place] = key;
      size++;
    }
    values[place] = value;
  }

  /** Returns the place of a key, which is empty if the table does not have it. */
  private int place(int key) {
    int place = (key ^ key >>> 13) & keys.length - 1;
    while (keys[place] != 0 && keys[place] != key) {
      place = place + 1 & keys.length - 1;
    }
    return place;
  }

  /** Makes another table, with the entries of this one if there is room for them. */
  private void resize(int length) {
    int[] oldKeys = keys;
    Object[] oldValues = values;
    keys = new int[length];
    values = new Object[length];
    size = 0;
    for (int i = 0; length > oldKeys.length && i < oldKeys.length; i++) {
      if (oldKeys[i] != 0) {
        int place = place(oldKeys[i]);
        keys[place] = oldKeys[i];
        values[place] = oldValues[i];
        size++;
      }
    }
  }
}
