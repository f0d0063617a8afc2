// Statements take time and random numbers from the world.
package dev.retap.agent.shadow.libcore;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertSame;

import org.junit.Test;

public final class SqlTextTest {
  @Test
  public void randomNumbersAreTheWorlds() {
    assertEquals(
        "SELECT * FROM t ORDER BY CAST(retap_random('') AS INTEGER) LIMIT 1",
        SqlText.ofWorld("SELECT * FROM t ORDER BY RANDOM() LIMIT 1"));
    assertEquals(
        "SELECT hex(CAST(retap_blob (4 + (1)) AS BLOB))",
        SqlText.ofWorld("SELECT hex(randomblob (4 + (1)))"));
  }

  @Test
  public void nowIsTheWorldsInsideFunctionsOfTime() {
    assertEquals(
        "SELECT strftime('%s',retap_now('')), datetime( retap_now(''), 'localtime')",
        SqlText.ofWorld("SELECT strftime('%s','now'), datetime( 'NOW', 'localtime')"));
    assertEquals(
        "INSERT INTO t VALUES ('now', upper('now'), (date(retap_now(''))))",
        SqlText.ofWorld("INSERT INTO t VALUES ('now', upper('now'), (date('now')))"));
  }

  @Test
  public void theCurrentTimeIsTheWorldsAlsoAsADefault() {
    assertEquals(
        "CREATE TABLE t (a TIMESTAMP DEFAULT (datetime(retap_now(''))), b DATE)",
        SqlText.ofWorld("CREATE TABLE t (a TIMESTAMP DEFAULT CURRENT_TIMESTAMP, b DATE)"));
    assertEquals(
        "SELECT date(retap_now('')), time(retap_now(''))",
        SqlText.ofWorld("SELECT current_date, CURRENT_TIME"));
  }

  @Test
  public void stringsNamesAndCommentsStay() {
    for (String sql :
        new String[] {
          "SELECT 'it''s random()', \"random()\", [now], `current_date` -- random()",
          "SELECT randomness, nowhere, x.random /* datetime('now') */ FROM t",
          "SELECT 'unclosed random()",
        }) {
      assertEquals(sql, SqlText.ofWorld(sql));
    }
    String plain = "SELECT 1";
    assertSame(plain, SqlText.ofWorld(plain));
  }
}
