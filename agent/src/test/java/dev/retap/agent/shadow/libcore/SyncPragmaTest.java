// SQLite never waits for the disk, and an app does not notice.
package dev.retap.agent.shadow.libcore;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertSame;

import org.junit.Test;

public final class SyncPragmaTest {
  private static final String NEVER = "PRAGMA synchronous=OFF";

  @Test
  public void aConnectionBeginsAsSqliteDoes() {
    assertEquals("SELECT 2 AS synchronous", SyncPragma.ofWorld(1, "PRAGMA synchronous"));
    assertEquals("SELECT 2 AS synchronous", SyncPragma.ofWorld(1, "pragma main.synchronous ;"));
  }

  @Test
  public void theAppReadsWhatItHasSet() {
    assertEquals(NEVER, SyncPragma.ofWorld(2, "PRAGMA synchronous=NORMAL"));
    assertEquals("SELECT 1 AS synchronous", SyncPragma.ofWorld(2, "PRAGMA synchronous"));
    assertEquals(NEVER, SyncPragma.ofWorld(2, "pragma synchronous(extra);"));
    assertEquals("SELECT 3 AS synchronous", SyncPragma.ofWorld(2, "PRAGMA synchronous"));
    assertEquals(NEVER, SyncPragma.ofWorld(2, "PRAGMA synchronous = 'off'"));
    assertEquals("SELECT 0 AS synchronous", SyncPragma.ofWorld(2, "PRAGMA synchronous"));
    assertEquals("SELECT 2 AS synchronous", SyncPragma.ofWorld(3, "PRAGMA synchronous"));
  }

  @Test
  public void otherStatementsStay() {
    for (String sql : new String[] {"PRAGMA journal_mode=WAL", "SELECT 'PRAGMA synchronous'"}) {
      assertSame(sql, SyncPragma.ofWorld(4, sql));
    }
  }
}
