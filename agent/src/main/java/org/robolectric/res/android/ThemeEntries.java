// The entries of a theme that is a copy of another. ThemeCopyFix makes Robolectric's themes call
// it.
package org.robolectric.res.android;

public final class ThemeEntries {
  private ThemeEntries() {}

  /** Puts the copy of an entry at its place, if there is an original. */
  public static void putCopy(Object[] entries, int index, Object copy, Object original) {
    if (original != null) {
      entries[index] = copy;
    }
  }
}
