// Connections to SQLite from API 35 on, where the framework calls the native code itself. Paths are
// the phone's, and SQLite's time and random numbers the world's, as on the levels below.
package dev.retap.agent.shadow.libcore;

import dev.retap.agent.world.jdk.PhonePaths;
import java.util.function.UnaryOperator;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowSQLiteConnection;
import org.robolectric.util.reflector.ForType;
import org.robolectric.util.reflector.Reflector;
import org.robolectric.util.reflector.Static;

@Implements(
    className = "android.database.sqlite.SQLiteConnection",
    minSdk = 35,
    isInAndroidSdk = false,
    callNativeMethodsByDefault = true)
public class SQLiteConnectionShadow extends ShadowSQLiteConnection {
  private static final Natives NATIVES = Reflector.reflector(Natives.class);

  @Implementation
  protected static long nativeOpen(
      String path,
      int flags,
      String label,
      boolean trace,
      boolean profile,
      int lookasideSize,
      int lookasideCount) {
    long connection =
        NATIVES.$$robo$$nativeOpen$nativeBinding(
            PhonePaths.toHostForReading(path),
            flags,
            label,
            trace,
            profile,
            lookasideSize,
            lookasideCount);
    WorldSql.addFunctions(
        (name, function) ->
            NATIVES.$$robo$$nativeRegisterCustomScalarFunction$nativeBinding(
                connection, name, function));
    SyncPragma.begin(connection, sql -> execute(connection, sql));
    return connection;
  }

  @Implementation
  protected static long nativePrepareStatement(long connection, String sql) {
    return NATIVES.$$robo$$nativePrepareStatement$nativeBinding(
        connection, WorldSql.ofWorld(connection, sql));
  }

  private static void execute(long connection, String sql) {
    long statement = NATIVES.$$robo$$nativePrepareStatement$nativeBinding(connection, sql);
    try {
      NATIVES.$$robo$$nativeExecute$nativeBinding(connection, statement, false);
    } finally {
      NATIVES.$$robo$$nativeFinalizeStatement$nativeBinding(connection, statement);
    }
  }

  /** The native methods, by the names that Robolectric gives them. */
  @ForType(className = "android.database.sqlite.SQLiteConnection")
  private interface Natives {
    @Static
    long $$robo$$nativeOpen$nativeBinding(
        String path,
        int flags,
        String label,
        boolean trace,
        boolean profile,
        int lookasideSize,
        int lookasideCount);

    @Static
    long $$robo$$nativePrepareStatement$nativeBinding(long connection, String sql);

    @Static
    void $$robo$$nativeExecute$nativeBinding(long connection, long statement, boolean isPragma);

    @Static
    void $$robo$$nativeFinalizeStatement$nativeBinding(long connection, long statement);

    @Static
    void $$robo$$nativeRegisterCustomScalarFunction$nativeBinding(
        long connection, String name, UnaryOperator<String> function);
  }
}
