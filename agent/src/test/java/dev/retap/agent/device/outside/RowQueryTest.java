// SQLite answers queries on rows whose table is not known.
package dev.retap.agent.device.outside;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import android.content.ContentValues;
import android.database.Cursor;
import android.database.sqlite.SQLiteException;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.annotation.Config;

@RunWith(RobolectricTestRunner.class)
@Config(sdk = 30)
public class RowQueryTest {
  private final RowQuery query = new RowQuery(List.of(row(1, "Ada", 36), row(2, "Bob", 7)));

  @Test
  public void withoutASelectionAllRowsCome() {
    assertEquals(List.of("Ada", "Bob"), names(null, null, null));
  }

  @Test
  public void argumentsFillTheClause() {
    assertEquals(List.of("Bob"), names("name = ?", null, null, "Bob"));
  }

  @Test
  public void numbersCompareAsNumbersThoughArgumentsAreText() {
    assertEquals(List.of("Ada"), names("age > ?", null, null, "8"));
  }

  @Test
  public void orderAndLimitApply() {
    assertEquals(List.of("Bob"), names(null, "name DESC", "1"));
  }

  @Test
  public void aColumnThatNoRowHasIsEmpty() {
    assertEquals(List.of(), names("unknown = 1", null, null));
    assertEquals(List.of("Ada", "Bob"), names("unknown IS NULL", null, null));
  }

  @Test
  public void aColumnMayBeQualifiedByItsTable() {
    assertEquals(List.of("Ada"), names("people.name = 'Ada'", null, null));
  }

  @Test
  public void aProjectionMayBeAnExpression() {
    try (Cursor found = query.select(new String[] {"COUNT(*)"}, null, null, null, null)) {
      found.moveToFirst();
      assertEquals(2, found.getInt(0));
    }
  }

  @Test
  public void selectedRowsAreNumberedByTheirPlaceInTheList() {
    assertEquals(List.of(1), query.matchingRows("age < 10", null));
  }

  @Test
  public void anErrorInTheClauseIsTheApps() {
    assertThrows(SQLiteException.class, () -> query.matchingRows("age <<< 10", null));
  }

  @Test
  public void anotherTableIsALimitOfTheHost() {
    String clause = "_id IN (SELECT id FROM other)";
    assertThrows(UnsupportedOperationException.class, () -> query.matchingRows(clause, null));
  }

  private List<String> names(String selection, String order, String limit, String... arguments) {
    List<String> names = new ArrayList<>();
    try (Cursor found = query.select(new String[] {"name"}, selection, arguments, order, limit)) {
      while (found.moveToNext()) {
        names.add(found.getString(0));
      }
    }
    return names;
  }

  private static ContentValues row(long id, String name, int age) {
    ContentValues row = new ContentValues();
    row.put("_id", id);
    row.put("name", name);
    row.put("age", age);
    return row;
  }
}
