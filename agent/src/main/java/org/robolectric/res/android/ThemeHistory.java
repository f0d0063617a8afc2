// How a theme came to its values: the styles that were applied to it, one after the other, and in
// which state of the resources. Themes with the same history have the same values, so they share
// their tables. A theme gets tables of its own before the host's reader changes them.
package org.robolectric.res.android;

import java.util.ArrayList;
import java.util.List;

final class ThemeHistory {
  /** Beyond this many histories all are forgotten; themes that have one keep it. */
  private static final int MOST_HISTORIES = 1_000;

  /** The history of a theme that changed in a way that nobody followed. */
  static final ThemeHistory UNKNOWN = new ThemeHistory(null);

  private static ThemeHistory empty = new ThemeHistory(null);
  private static int count;

  private final Change change;
  private final List<ThemeHistory> next = new ArrayList<>();
  final StyleTable styles = new StyleTable();

  /** The tables of all themes with this history, null as long as there are none. */
  private Object[] tables;

  /** What the theme's styles depend on. */
  private int flags;

  private ThemeHistory(Change change) {
    this.change = change;
  }

  static ThemeHistory of(Object theme) {
    Object known = ((Memory) theme).memory();
    if (known instanceof ThemeHistory history) {
      return history;
    }
    return known == null ? empty() : UNKNOWN;
  }

  /** Gives a theme the history whose tables it has, null for one without values. */
  static void set(Object theme, ThemeHistory history) {
    ((Memory) theme).setMemory(history);
  }

  /** Says that a theme is about to change, and which history it has if that succeeds. */
  static void begin(Object theme, ThemeHistory after) {
    ((Memory) theme).setMemory(new Changing(after));
  }

  /** Says that the theme has changed; from now on it shares its tables. */
  static void end(Object theme, boolean succeeded, Object[] tables, int flags) {
    ThemeHistory after = ((Changing) ((Memory) theme).memory()).after;
    if (succeeded && after != UNKNOWN) {
      after.setTables(tables.clone(), flags);
      set(theme, after);
    } else {
      set(theme, UNKNOWN);
    }
  }

  boolean isEmpty() {
    return change == null && this != UNKNOWN;
  }

  /** Returns the history after a style was applied. */
  ThemeHistory apply(ResourceState state, int style, boolean force) {
    return then(new Change(state, style, force, null));
  }

  /** Returns the history after another theme's values were copied, all or those of Android. */
  ThemeHistory copy(ThemeHistory other, boolean all) {
    return other == UNKNOWN ? UNKNOWN : then(new Change(null, 0, all, other));
  }

  synchronized Object[] tables() {
    return tables;
  }

  synchronized int flags() {
    return flags;
  }

  synchronized void setTables(Object[] tables, int flags) {
    this.tables = tables;
    this.flags = flags;
  }

  private ThemeHistory then(Change change) {
    if (this == UNKNOWN) {
      return this;
    }
    synchronized (next) {
      for (ThemeHistory known : next) {
        if (known.change.equals(change)) {
          return known;
        }
      }
      ThemeHistory added = new ThemeHistory(change);
      next.add(added);
      countOne();
      return added;
    }
  }

  private static synchronized ThemeHistory empty() {
    return empty;
  }

  private static synchronized void countOne() {
    if (++count > MOST_HISTORIES) {
      empty = new ThemeHistory(null);
      count = 0;
    }
  }

  /** Marks a theme while it changes. Nothing is known of one whose change failed. */
  private record Changing(ThemeHistory after) {}

  private record Change(ResourceState state, int style, boolean flag, ThemeHistory other) {
    boolean equals(Change change) {
      return state == change.state
          && style == change.style
          && flag == change.flag
          && other == change.other;
    }
  }
}
