// Fast replacements for methods of Robolectric's resource reader that build objects, or a whole
// table, to return a single number. The class lives in the reader's package because it reads
// package-private fields. MethodReplacer puts these methods in place of the originals.
package org.robolectric.res.android;

import java.nio.ByteBuffer;

public final class FastResourceReads {
  /** Offsets in the reader's start-element record, in bytes. */
  private static final int ATTRIBUTES_AT = 8;

  private static final int ATTRIBUTE_SIZE_AT = 10;
  private static final int ATTRIBUTE_COUNT_AT = 12;

  /** The offset of the name's index in an attribute. */
  private static final int NAME_AT = 4;

  private static volatile Element lastElement;

  private FastResourceReads() {}

  public static int GetFlagsForEntryIndex(LoadedArsc.TypeSpec types, int entry) {
    ResourceTypes.ResTable_typeSpec spec = types.type_spec;
    return entry < spec.entryCount
        ? spec.myBuf().getInt(spec.myOffset() + spec.header.headerSize + 4 * entry)
        : 0;
  }

  /** Searches a sparse table by bisection, because it is sorted. All its numbers are unsigned. */
  static int GetEntryOffset(ResourceTypes.ResTable_type type, int entry) {
    int count = type.entryCount;
    if ((type.flags & ResourceTypes.ResTable_type.FLAG_SPARSE) == 0) {
      return entry < count ? type.entryOffset(entry) : ResourceTypes.ResTable_type.NO_ENTRY;
    }
    ByteBuffer bytes = type.myBuf();
    int table = type.myOffset() + type.header.headerSize;
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      int at = table + middle * ResourceTypes.ResTable_sparseTypeEntry.SIZEOF;
      int index = Short.toUnsignedInt(bytes.getShort(at));
      if (index == entry) {
        return 4 * Short.toUnsignedInt(bytes.getShort(at + 2));
      }
      if (index < entry) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return ResourceTypes.ResTable_type.NO_ENTRY;
  }

  public static int getAttributeCount(ResXMLParser parser) {
    return parser.mEventCode == ResXMLParser.event_code_t.START_TAG
        ? parser.mTree.mBuffer.buf.getShort(parser.mCurExt + ATTRIBUTE_COUNT_AT)
        : 0;
  }

  public static int getAttributeNameID(ResXMLParser parser, int index) {
    if (index >= getAttributeCount(parser)) {
      return -1;
    }
    ByteBuffer bytes = parser.mTree.mBuffer.buf;
    int element = parser.mCurExt;
    int first = element + bytes.getShort(element + ATTRIBUTES_AT);
    return bytes.getInt(first + bytes.getShort(element + ATTRIBUTE_SIZE_AT) * index + NAME_AT);
  }

  /**
   * Keeps the names of the last element, because a view reads some hundred attributes one by one.
   */
  public static int getAttributeNameResID(ResXMLParser parser, int index) {
    int count = getAttributeCount(parser);
    if (index < 0 || index >= count) {
      return 0;
    }
    Element last = lastElement;
    if (last == null || !last.isAt(parser)) {
      last =
          new Element(parser.mTree, parser.mTree.mBuffer.buf, parser.mCurExt, names(parser, count));
      lastElement = last;
    }
    return last.names[index];
  }

  private static int[] names(ResXMLParser parser, int count) {
    ResXMLTree tree = parser.mTree;
    int[] names = new int[count];
    for (int i = 0; i < count; i++) {
      int id = getAttributeNameID(parser, i);
      if (id >= 0 && id < tree.mNumResIds) {
        Ref<Integer> name = new Ref<>(tree.mResIds[id]);
        if (tree.mDynamicRefTable != null) {
          tree.mDynamicRefTable.lookupResourceId(name);
        }
        names[i] = name.get();
      }
    }
    return names;
  }

  /** An element and the names of its attributes. */
  private record Element(ResXMLTree tree, ByteBuffer bytes, int at, int[] names) {
    boolean isAt(ResXMLParser parser) {
      return at == parser.mCurExt && tree == parser.mTree && bytes == parser.mTree.mBuffer.buf;
    }
  }
}
