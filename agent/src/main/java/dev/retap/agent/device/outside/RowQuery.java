// Loads the rows of a system provider into a SQLite table for one query, because only SQLite can
// interpret a WHERE clause. Not every column of the real table is known here: one that is asked for
// and that no row has exists and is empty.
package dev.retap.agent.device.outside;

import android.content.ContentValues;
import android.database.Cursor;
import android.database.MatrixCursor;
import android.database.sqlite.SQLiteDatabase;
import android.database.sqlite.SQLiteException;
import android.text.TextUtils;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

final class RowQuery {
  private static final Pattern NO_COLUMN = Pattern.compile("no such column: (?:(\\w+)\\.)?(\\w+)");
  private static final Pattern NOT_SUPPORTED = Pattern.compile("no such (table|function|module)");

  /** The column of the row's index in the list, under a name that no app asks for. */
  private static final String INDEX = "retap_place";

  private final List<ContentValues> rows;
  private final Map<String, String> types = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  private String table = "stock_rows";

  RowQuery(List<ContentValues> rows) {
    this.rows = rows;
    types.put("_id", "INTEGER");
    for (ContentValues row : rows) {
      for (String column : row.keySet()) {
        if (row.get(column) != null) {
          types.merge(column, type(row.get(column)), RowQuery::wider);
        }
      }
    }
  }

  /** Adds columns that the table has, whether or not a row has a value there. */
  void addColumns(Set<String> columns) {
    columns.forEach(column -> types.putIfAbsent(column, "TEXT"));
  }

  /**
   * Returns the selected rows.
   *
   * @param projection columns or expressions; null for all columns
   */
  MatrixCursor select(
      String[] projection, String selection, String[] arguments, String order, String limit) {
    String wanted =
        projection == null || projection.length == 0
            ? String.join(", ", types.keySet().stream().map(RowQuery::quoted).toList())
            : String.join(", ", projection);
    StringBuilder tail = new StringBuilder();
    if (!TextUtils.isEmpty(order)) {
      tail.append(" ORDER BY ").append(order);
    }
    if (!TextUtils.isEmpty(limit)) {
      tail.append(" LIMIT ").append(limit);
    }
    return run(wanted, selection, arguments, tail.toString());
  }

  /** Returns the indices of the rows that the clause selects. */
  List<Integer> matchingRows(String selection, String[] arguments) {
    List<Integer> indices = new ArrayList<>();
    try (Cursor found = run(INDEX, selection, arguments, " ORDER BY " + INDEX)) {
      while (found.moveToNext()) {
        indices.add(found.getInt(0));
      }
    }
    return indices;
  }

  private MatrixCursor run(String wanted, String selection, String[] arguments, String tail) {
    while (true) {
      // In brackets, as the system's providers write it.
      String where = TextUtils.isEmpty(selection) ? "" : " WHERE (" + selection + ")";
      try (SQLiteDatabase database = createTable();
          Cursor found =
              database.rawQuery(
                  "SELECT " + wanted + " FROM " + quoted(table) + where + tail, arguments)) {
        return copy(found);
      } catch (SQLiteException e) {
        addMissingColumn(e);
      }
    }
  }

  /** Adds the column that was missing; throws any other error again. */
  private void addMissingColumn(SQLiteException e) {
    String message = String.valueOf(e.getMessage());
    Matcher missing = NO_COLUMN.matcher(message);
    if (missing.find()) {
      boolean renamed = missing.group(1) != null && !missing.group(1).equals(table);
      table = renamed ? missing.group(1) : table;
      if (types.putIfAbsent(missing.group(2), "TEXT") == null || renamed) {
        return;
      }
    }
    if (NOT_SUPPORTED.matcher(message).find()) {
      throw new UnsupportedOperationException("system provider: " + message, e);
    }
    throw e;
  }

  private SQLiteDatabase createTable() {
    SQLiteDatabase database = SQLiteDatabase.create(null);
    StringBuilder columns = new StringBuilder(INDEX).append(" INTEGER");
    types.forEach(
        (name, type) -> columns.append(", ").append(quoted(name)).append(' ').append(type));
    database.execSQL("CREATE TABLE " + quoted(table) + " (" + columns + ")");
    for (int i = 0; i < rows.size(); i++) {
      ContentValues values = new ContentValues();
      for (String column : rows.get(i).keySet()) {
        Object value = rows.get(i).get(column);
        if (value instanceof byte[] bytes) {
          values.put(quoted(column), bytes);
        } else if (value instanceof Boolean set) {
          values.put(quoted(column), set ? 1 : 0);
        } else if (value != null) {
          values.put(quoted(column), value.toString());
        }
      }
      values.put(INDEX, i);
      database.insertOrThrow(quoted(table), null, values);
    }
    return database;
  }

  private static MatrixCursor copy(Cursor found) {
    MatrixCursor copy = new MatrixCursor(found.getColumnNames());
    while (found.moveToNext()) {
      Object[] values = new Object[found.getColumnCount()];
      for (int i = 0; i < values.length; i++) {
        values[i] =
            switch (found.getType(i)) {
              case Cursor.FIELD_TYPE_INTEGER -> found.getLong(i);
              case Cursor.FIELD_TYPE_FLOAT -> found.getDouble(i);
              case Cursor.FIELD_TYPE_STRING -> found.getString(i);
              case Cursor.FIELD_TYPE_BLOB -> found.getBlob(i);
              default -> null;
            };
      }
      copy.addRow(values);
    }
    return copy;
  }

  /** Returns the column type, which decides how values compare with a clause's string arguments. */
  private static String type(Object value) {
    if (value instanceof byte[]) {
      return "BLOB";
    }
    if (value instanceof Float || value instanceof Double) {
      return "REAL";
    }
    return value instanceof Number || value instanceof Boolean ? "INTEGER" : "TEXT";
  }

  private static String wider(String one, String other) {
    return one.equals(other)
        ? one
        : one.equals("TEXT") || other.equals("TEXT") ? "TEXT" : "NUMERIC";
  }

  private static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }
}
