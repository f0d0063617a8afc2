// Lets themes with the same history share their tables. A window makes several themes, each with
// hundreds of values, and Robolectric copies or works them out for each. RememberingClass makes
// its methods ask here first.
package org.robolectric.res.android;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import org.robolectric.res.android.CppAssetManager2.Theme;

public final class ThemeMemory {
  private static final VarHandle TABLES = field(Theme.class, "packages_");
  private static final VarHandle FLAGS = field(Theme.class, "type_spec_flags_");
  private static final MethodHandle COPY = copying(Theme.class, "SetToAnew", boolean.class);

  private static final VarHandle OLD_TABLES = field(ResTableTheme.class, "mPackages");
  private static final MethodHandle OLD_COPY = copying(ResTableTheme.class, "setToAnew", int.class);

  private ThemeMemory() {}

  // ---- API level 28 and newer

  public static Boolean recallApplyStyle(Theme theme, int style, boolean force) {
    ResourceState state = ResourceState.of(theme.GetAssetManager());
    return become(theme, ThemeHistory.of(theme).apply(state, style, force)) ? true : null;
  }

  public static void keepApplyStyle(Theme theme, int style, boolean force, boolean applied) {
    keep(theme, applied);
  }

  public static Boolean recallSetTo(Theme theme, Theme other) {
    ThemeHistory from = ThemeHistory.of(other);
    boolean all = theme.GetAssetManager() == other.GetAssetManager();
    ThemeHistory before = ThemeHistory.of(theme);
    return become(theme, all && before.isEmpty() ? from : before.copy(from, all)) ? true : null;
  }

  public static void keepSetTo(Theme theme, Theme other, boolean copied) {
    keep(theme, copied);
  }

  public static boolean recallClear(Theme theme) {
    return false;
  }

  public static void keepClear(Theme theme) {
    ThemeHistory.set(theme, null);
  }

  private static boolean become(Theme theme, ThemeHistory after) {
    Object[] tables = after.tables();
    if (tables != null) {
      System.arraycopy(tables, 0, tables(theme), 0, tables.length);
      FLAGS.set(theme, after.flags());
      ThemeHistory.set(theme, after);
      return true;
    }
    if (ThemeHistory.of(theme).tables() != null) {
      Theme copy = new Theme(theme.GetAssetManager());
      copy(theme, copy);
      Object[] own = tables(copy);
      System.arraycopy(own, 0, tables(theme), 0, own.length);
    }
    ThemeHistory.begin(theme, after);
    return false;
  }

  private static void keep(Theme theme, boolean succeeded) {
    ThemeHistory.end(theme, succeeded, tables(theme), (int) FLAGS.get(theme));
  }

  private static Object[] tables(Theme theme) {
    return (Object[]) TABLES.get(theme);
  }

  private static void copy(Theme from, Theme to) {
    try {
      boolean unused = (boolean) COPY.invokeExact(to, from);
    } catch (Throwable e) {
      throw new LinkageError("a theme was not copied", e);
    }
  }

  // ---- below API level 28

  public static Integer recallApplyStyle(ResTableTheme theme, int style, boolean force) {
    ResourceState state = ResourceBags.state(theme.getResTable());
    ThemeHistory after = ThemeHistory.of(theme).apply(state, style, force);
    return become(theme, after) ? Errors.NO_ERROR : null;
  }

  public static void keepApplyStyle(ResTableTheme theme, int style, boolean force, int error) {
    ThemeHistory.end(theme, error == Errors.NO_ERROR, tables(theme), 0);
  }

  public static Integer recallSetTo(ResTableTheme theme, ResTableTheme other) {
    ThemeHistory after = theme == other ? ThemeHistory.UNKNOWN : ThemeHistory.of(other);
    return become(theme, after) ? Errors.NO_ERROR : null;
  }

  public static void keepSetTo(ResTableTheme theme, ResTableTheme other, int error) {
    ThemeHistory.end(theme, error == Errors.NO_ERROR, tables(theme), 0);
  }

  private static boolean become(ResTableTheme theme, ThemeHistory after) {
    Object[] tables = after.tables();
    if (tables != null) {
      System.arraycopy(tables, 0, tables(theme), 0, tables.length);
      ThemeHistory.set(theme, after);
      return true;
    }
    if (ThemeHistory.of(theme).tables() != null) {
      ResTableTheme copy = new ResTableTheme(theme.getResTable());
      copy(theme, copy);
      Object[] own = tables(copy);
      System.arraycopy(own, 0, tables(theme), 0, own.length);
    }
    ThemeHistory.begin(theme, after);
    return false;
  }

  private static Object[] tables(ResTableTheme theme) {
    return (Object[]) OLD_TABLES.get(theme);
  }

  private static void copy(ResTableTheme from, ResTableTheme to) {
    try {
      int unused = (int) OLD_COPY.invokeExact(to, from);
    } catch (Throwable e) {
      throw new LinkageError("a theme was not copied", e);
    }
  }

  // ----

  private static VarHandle field(Class<?> owner, String name) {
    try {
      return MethodHandles.privateLookupIn(owner, MethodHandles.lookup())
          .unreflectVarHandle(owner.getDeclaredField(name));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("themes have no " + name, e);
    }
  }

  private static MethodHandle copying(Class<?> owner, String name, Class<?> result) {
    try {
      return MethodHandles.privateLookupIn(owner, MethodHandles.lookup())
          .findVirtual(owner, name, MethodType.methodType(result, owner));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("themes have no " + name, e);
    }
  }
}
