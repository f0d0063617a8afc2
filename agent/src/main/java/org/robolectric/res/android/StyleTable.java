// A table of the values that the attributes of elements of a layout got. A key is what decides
// them, together with the owner of the table: the state of the resources, the default style, the
// element and the attributes.
package org.robolectric.res.android;

import java.util.Arrays;

final class StyleTable {
  private static final int PLACES = 256;

  /** The entries of all tables. Beyond the limit each table forgets its own before it grows. */
  private static final int MOST_ENTRIES = 12_000;

  /** The values of an attribute: one less below API level 29. */
  private static final int MOST_VALUES = AttributeResolution10.STYLE_NUM_ENTRIES;

  private static int entries;

  private final Style[] styles = new Style[PLACES];
  private int size;

  /** Copies the values of a known key. Returns false if the key is unknown. */
  synchronized boolean copyTo(Key key, int[] outValues, int[] outIndices) {
    for (Style style = styles[key.hash & PLACES - 1]; style != null; style = style.next) {
      if (style.key.equals(key) && style.hasIndices == (outIndices != null)) {
        int used = Math.min(outValues.length, style.values.length);
        System.arraycopy(style.values, 0, outValues, 0, used);
        if (outIndices != null) {
          System.arraycopy(style.indices, 0, outIndices, 0, style.indices.length);
        }
        return true;
      }
    }
    return false;
  }

  /** Keeps the values of a key, for which the arrays have room or more. */
  synchronized void put(Key key, int[] outValues, int[] outIndices) {
    if (isFull()) {
      Arrays.fill(styles, null);
      count(-size);
      size = 0;
    }
    int[] indices = outIndices == null ? new int[0] : Arrays.copyOf(outIndices, outIndices[0] + 1);
    int used = Math.min(outValues.length, key.attributes.length * MOST_VALUES);
    int[] values = Arrays.copyOf(outValues, used);
    int place = key.hash & PLACES - 1;
    styles[place] = new Style(key, values, indices, outIndices != null, styles[place]);
    size++;
    count(1);
  }

  private static synchronized boolean isFull() {
    return entries >= MOST_ENTRIES;
  }

  private static synchronized void count(int added) {
    entries += added;
  }

  private record Style(Key key, int[] values, int[] indices, boolean hasIndices, Style next) {}

  /**
   * A key. Its attributes must not change any more.
   *
   * @param file the file of the element, null for none
   * @param element the place of the element in it
   */
  record Key(
      ResourceState state,
      int defaultAttribute,
      int defaultStyle,
      Object file,
      int element,
      int[] attributes,
      int hash) {
    static Key of(
        ResourceState state, int defaultAttribute, int defaultStyle, Element at, int[] attributes) {
      int length = attributes.length;
      int hash = 31 * defaultAttribute + defaultStyle;
      hash = 31 * (31 * hash + at.place) + length;
      hash = length == 0 ? hash : 31 * (31 * hash + attributes[0]) + attributes[length - 1];
      return new Key(
          state,
          defaultAttribute,
          defaultStyle,
          at.file,
          at.place,
          attributes,
          hash ^ hash >>> 8 ^ hash >>> 16);
    }

    boolean equals(Key other) {
      return hash == other.hash
          && state == other.state
          && file == other.file
          && element == other.element
          && defaultAttribute == other.defaultAttribute
          && defaultStyle == other.defaultStyle
          && (attributes == other.attributes || Arrays.equals(attributes, other.attributes));
    }

    /** Returns the key for a table that outlives the caller's array. */
    Key toKeep() {
      return new Key(
          state, defaultAttribute, defaultStyle, file, element, attributes.clone(), hash);
    }
  }

  /** An element of a file; no file means none. */
  record Element(Object file, int place) {
    static final Element NONE = new Element(null, 0);

    /** Returns the element that a parser is at, or null if nothing may be kept about it. */
    static Element of(ResXMLParser parser) {
      if (parser == null) {
        return NONE;
      }
      Object file = ((Memory) (Object) parser.mTree).memory();
      return file == null || parser.mEventCode != ResXMLParser.event_code_t.START_TAG
          ? null
          : new Element(file, parser.mCurExt);
    }
  }
}
