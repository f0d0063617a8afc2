// Remembers the values of styled attributes. A view asks for about a hundred attributes of its
// element, and most elements are asked for again and again with the same theme. RememberingClass
// makes Robolectric's methods ask here first.
package org.robolectric.res.android;

import org.robolectric.res.android.StyleTable.Element;
import org.robolectric.res.android.StyleTable.Key;

public final class StyleMemory {
  private StyleMemory() {}

  // ---- API level 28 and newer

  public static boolean recallApplyStyle(
      CppAssetManager2.Theme theme,
      ResXMLParser parser,
      int attribute,
      int style,
      int[] attributes,
      int count,
      int[] outValues,
      int[] outIndices) {
    ResourceState state = ResourceState.of(theme.GetAssetManager());
    return recall(theme, state, parser, attribute, style, attributes, outValues, outIndices);
  }

  public static void keepApplyStyle(
      CppAssetManager2.Theme theme,
      ResXMLParser parser,
      int attribute,
      int style,
      int[] attributes,
      int count,
      int[] outValues,
      int[] outIndices) {
    ResourceState state = ResourceState.of(theme.GetAssetManager());
    keep(theme, state, parser, attribute, style, attributes, outValues, outIndices);
  }

  // ---- below API level 28

  public static boolean recallApplyStyle(
      ResTableTheme theme,
      ResXMLParser parser,
      int attribute,
      int style,
      int[] attributes,
      int count,
      int[] outValues,
      int[] outIndices) {
    ResourceState state = ResourceBags.state(theme.getResTable());
    return recall(theme, state, parser, attribute, style, attributes, outValues, outIndices);
  }

  public static void keepApplyStyle(
      ResTableTheme theme,
      ResXMLParser parser,
      int attribute,
      int style,
      int[] attributes,
      int count,
      int[] outValues,
      int[] outIndices) {
    ResourceState state = ResourceBags.state(theme.getResTable());
    keep(theme, state, parser, attribute, style, attributes, outValues, outIndices);
  }

  private static boolean recall(
      Object theme,
      ResourceState state,
      ResXMLParser parser,
      int attribute,
      int style,
      int[] attributes,
      int[] outValues,
      int[] outIndices) {
    ThemeHistory history = ThemeHistory.of(theme);
    Element element = Element.of(parser);
    return element != null
        && history != ThemeHistory.UNKNOWN
        && history.styles.copyTo(
            Key.of(state, attribute, style, element, attributes), outValues, outIndices);
  }

  private static void keep(
      Object theme,
      ResourceState state,
      ResXMLParser parser,
      int attribute,
      int style,
      int[] attributes,
      int[] outValues,
      int[] outIndices) {
    ThemeHistory history = ThemeHistory.of(theme);
    Element element = Element.of(parser);
    if (element != null && history != ThemeHistory.UNKNOWN) {
      Key key = Key.of(state, attribute, style, element, attributes).toKeep();
      history.styles.put(key, outValues, outIndices);
    }
  }
}
