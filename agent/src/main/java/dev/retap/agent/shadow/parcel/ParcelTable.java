// The parcels behind the handles that the framework holds as native pointers.
package dev.retap.agent.shadow.parcel;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

final class ParcelTable {
  private static volatile ParcelBytes[] parcels = new ParcelBytes[256];
  private static final Deque<Integer> FREE = new ArrayDeque<>();
  private static int used = 1;

  private ParcelTable() {}

  /** Adds a parcel and returns its handle, which is never 0. */
  static synchronized long add() {
    int handle = FREE.isEmpty() ? used++ : FREE.pop();
    ParcelBytes[] table = parcels;
    if (handle >= table.length) {
      table = Arrays.copyOf(table, 2 * table.length);
    }
    table[handle] = new ParcelBytes();
    parcels = table;
    return handle;
  }

  static synchronized void remove(long handle) {
    if (handle != 0 && parcels[(int) handle] != null) {
      parcels[(int) handle] = null;
      FREE.push((int) handle);
    }
  }

  static ParcelBytes get(long handle) {
    return parcels[(int) handle];
  }
}
