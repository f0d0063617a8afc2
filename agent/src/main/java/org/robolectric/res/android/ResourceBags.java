// What a resource table of Robolectric has worked out for one configuration: its bags, and the
// configurations of each type that match. Tables of later processes that consist of the same
// resources in the same configuration share it. The class lives in the reader's package because
// ResourceTableFix puts its methods into the table.
package org.robolectric.res.android;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.robolectric.res.android.ResTable.bag_entry;
import org.robolectric.res.android.ResourceTypes.ResTable_type;

public final class ResourceBags {
  /** An app has few tables and a phone two orientations. */
  private static final int MAX_KEPT = 8;

  private static final Deque<ResourceBags> KEPT = new ArrayDeque<>();
  private static final MethodHandle BUILD = builder();

  private final List<ResTable.Header> headers;
  private final ResTable_config parameters;
  private final Map<Integer, Bag> bags = new ConcurrentHashMap<>();
  private final Map<ResTable.Type, Candidates> candidates = new ConcurrentHashMap<>();
  private final ResourceState state;

  private ResourceBags(ResTable table) {
    headers = List.copyOf(table.mHeaders);
    parameters = ResourceState.copy(table.mParams);
    Object[] files = new Object[2 * headers.size()];
    for (int i = 0; i < headers.size(); i++) {
      ResTable.Header header = headers.get(i);
      files[2 * i] = header.header == null ? header : header.header.myBuf().array();
      files[2 * i + 1] = ApkAssetsCookie.forInt(header.cookie);
    }
    state = ResourceState.find(files, parameters);
  }

  static ResourceState state(ResTable table) {
    return of(table).state;
  }

  /** Replaces the table's method that sets its configuration. */
  static void setParameters(ResTable table, ResTable_config parameters) {
    synchronized (table.mLock) {
      synchronized (table.mFilteredConfigLock) {
        table.mParams = parameters;
        ((Memory) (Object) table).setMemory(null);
      }
    }
  }

  /** Returns the number of entries of a bag, or an error. Nobody may change the entries. */
  public static int get(ResTable table, int id, Ref<bag_entry[]> out, Ref<Integer> outFlags) {
    ResourceBags all = of(table);
    Bag bag = all.bags.get(id);
    if (bag == null) {
      Ref<Integer> flags = new Ref<>(0);
      int count = build(table, id, out, flags);
      if (count < 0) {
        return count;
      }
      bag = new Bag(count, out.get(), flags.get());
      all.bags.put(id, bag);
    }
    out.set(bag.entries);
    if (outFlags != null) {
      outFlags.set(bag.flags);
    }
    return bag.count;
  }

  /** Returns the bag that another begins with, for the other to change. */
  public static int parent(ResTable table, int id, Ref<bag_entry[]> out, Ref<Integer> outFlags) {
    int count = get(table, id, out, outFlags);
    if (count > 0) {
      bag_entry[] entries = out.get().clone();
      for (int i = 0; i < count; i++) {
        bag_entry entry = new bag_entry();
        entry.stringBlock = entries[i].stringBlock;
        entry.map.name.ident = entries[i].map.name.ident;
        entry.map.value = entries[i].map.value;
        entries[i] = entry;
      }
      out.set(entries);
    }
    return count;
  }

  /** Returns those configurations of a type that match the wanted one, and perhaps more. */
  public static List<ResTable_type> candidates(
      ResTable.Type type, ResTable table, ResTable_config wanted) {
    if (wanted == null || wanted != table.mParams) {
      return type.configs;
    }
    ResourceBags all = of(table);
    Candidates found = all.candidates.get(type);
    if (found == null || found.ofCount != type.configs.size()) {
      List<ResTable_type> matching = new ArrayList<>();
      for (ResTable_type one : type.configs) {
        if (one != null && one.config.match(wanted)) {
          matching.add(one);
        }
      }
      found = new Candidates(type.configs.size(), matching);
      all.candidates.put(type, found);
    }
    return found.types;
  }

  private static ResourceBags of(ResTable table) {
    ResourceBags known = (ResourceBags) ((Memory) (Object) table).memory();
    if (known == null || known.headers.size() != table.mHeaders.size()) {
      known = find(table);
      ((Memory) (Object) table).setMemory(known);
    }
    return known;
  }

  private static ResourceBags find(ResTable table) {
    synchronized (KEPT) {
      ResourceBags found = null;
      for (ResourceBags kept : KEPT) {
        if (kept.isOf(table)) {
          found = kept;
        }
      }
      if (found == null) {
        found = new ResourceBags(table);
      } else {
        KEPT.remove(found);
      }
      KEPT.addFirst(found);
      if (KEPT.size() > MAX_KEPT) {
        KEPT.removeLast();
      }
      return found;
    }
  }

  /** Tables of the same files have the same headers. */
  private boolean isOf(ResTable table) {
    if (headers.size() != table.mHeaders.size()) {
      return false;
    }
    for (int i = 0; i < headers.size(); i++) {
      if (headers.get(i) != table.mHeaders.get(i)) {
        return false;
      }
    }
    return parameters.compare(table.mParams) == 0;
  }

  private static int build(ResTable table, int id, Ref<bag_entry[]> out, Ref<Integer> flags) {
    try {
      return (int) BUILD.invokeExact(table, id, out, flags);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new LinkageError("a bag was not built", e);
    }
  }

  private static MethodHandle builder() {
    try {
      MethodType type = MethodType.methodType(int.class, int.class, Ref.class, Ref.class);
      return MethodHandles.lookup().findVirtual(ResTable.class, "buildBag", type);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the resource table builds no bags", e);
    }
  }

  private record Bag(int count, bag_entry[] entries, int flags) {}

  private record Candidates(int ofCount, List<ResTable_type> types) {}
}
