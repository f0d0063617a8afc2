// Remembers the values of styled attributes. A view asks for about a hundred attributes of its
// element, and most elements are asked for again and again with the same theme. RememberingClass
// makes Robolectric's methods ask here first.
package org.robolectric.res.android;

import org.robolectric.res.android.StyleTable.Element;
import org.robolectric.res.android.StyleTable.Key;

public final class StyleMemory {
  private StyleMemory() {}

  public static boolean recallApplyStyle(
      Object theme,
      ResXMLParser parser,
      int attribute,
      int style,
      int[] attributes,
      int count,
      int[] outValues,
      int[] outIndices) {
    Key key = key(theme, parser, attribute, style, attributes);
    return key != null && ThemeHistory.of(theme).styles.copyTo(key, outValues, outIndices);
  }

  public static void keepApplyStyle(
      Object theme,
      ResXMLParser parser,
      int attribute,
      int style,
      int[] attributes,
      int count,
      int[] outValues,
      int[] outIndices) {
    Key key = key(theme, parser, attribute, style, attributes);
    if (key != null) {
      ThemeHistory.of(theme).styles.put(key.toKeep(), outValues, outIndices);
    }
  }

  /** Returns what the values depend on beside the theme's history, or null if that is not known. */
  private static Key key(
      Object theme, ResXMLParser parser, int attribute, int style, int[] attributes) {
    Element element = Element.of(parser);
    return element == null || ThemeHistory.of(theme) == ThemeHistory.UNKNOWN
        ? null
        : Key.of(state(theme), attribute, style, element, attributes);
  }

  /** Returns the state of the resources that the theme is of. Its type depends on the API level. */
  private static ResourceState state(Object theme) {
    return theme instanceof CppAssetManager2.Theme newer
        ? ResourceState.of(newer.GetAssetManager())
        : ResourceBags.state(((ResTableTheme) theme).getResTable());
  }
}
