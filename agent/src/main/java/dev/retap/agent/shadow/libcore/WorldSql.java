// SQLite's time and random numbers belong to the world. SQLite asks the machine for both, so every
// connection gets functions of ours, and statements call them instead.
package dev.retap.agent.shadow.libcore;

import dev.retap.agent.world.Blocking;
import dev.retap.agent.world.WorldRandom;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.robolectric.nativeruntime.SQLiteConnectionNatives;

public final class WorldSql {
  private WorldSql() {}

  /** Opens a connection with our functions. */
  public static long open(
      String path,
      int flags,
      String label,
      boolean trace,
      boolean profile,
      int lookasideSize,
      int lookasideCount) {
    long connection =
        SQLiteConnectionNatives.nativeOpen(
            path, flags, label, trace, profile, lookasideSize, lookasideCount);
    addFunctions(
        (name, function) ->
            SQLiteConnectionNatives.nativeRegisterCustomScalarFunction(connection, name, function));
    SyncPragma.begin(connection, sql -> execute(connection, sql));
    return connection;
  }

  /** Adds our functions to a connection. */
  static void addFunctions(BiConsumer<String, UnaryOperator<String>> register) {
    register.accept(SqlText.NOW, none -> now());
    register.accept(SqlText.RANDOM, none -> Long.toString(random()));
    register.accept(SqlText.BLOB, WorldSql::blob);
  }

  /** Prepares a statement that takes nothing from the machine. */
  public static long prepare(long connection, String sql) {
    return SQLiteConnectionNatives.nativePrepareStatement(connection, ofWorld(connection, sql));
  }

  /** Returns the statement in whose place it is prepared. */
  static String ofWorld(long connection, String sql) {
    return SqlText.ofWorld(SyncPragma.ofWorld(connection, sql));
  }

  private static void execute(long connection, String sql) {
    long statement = SQLiteConnectionNatives.nativePrepareStatement(connection, sql);
    try {
      SQLiteConnectionNatives.nativeExecute(connection, statement, false);
    } finally {
      SQLiteConnectionNatives.nativeFinalizeStatement(connection, statement);
    }
  }

  private static String now() {
    return Instant.ofEpochMilli(Blocking.currentTimeMillis()).toString();
  }

  private static long random() {
    return ByteBuffer.wrap(WorldRandom.bytes(Long.BYTES)).getLong();
  }

  /** Returns as many random bytes, of seven bits each: the function can return text only. */
  private static String blob(String count) {
    byte[] bytes = WorldRandom.bytes(Math.max(1, Integer.parseInt(count)));
    StringBuilder text = new StringBuilder();
    for (byte each : bytes) {
      text.append((char) (1 + (each & 0xff) % 127));
    }
    return text.toString();
  }
}
