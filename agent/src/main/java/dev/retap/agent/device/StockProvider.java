// One system provider of a new phone: empty until something is put in. Rows live under the Uri they
// were inserted at; a query of their folder lists them, whatever the columns asked for.
package dev.retap.agent.device;

import android.content.ContentProvider;
import android.content.ContentUris;
import android.content.ContentValues;
import android.database.Cursor;
import android.database.MatrixCursor;
import android.net.Uri;
import android.os.ParcelFileDescriptor;
import java.io.File;
import java.io.FileNotFoundException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

final class StockProvider extends ContentProvider {
  private final File folder;
  private final Map<Uri, ContentValues> rows = new LinkedHashMap<>();
  private int nextId = 1;

  StockProvider(File folder) {
    this.folder = folder;
  }

  synchronized void put(Uri uri, ContentValues row) {
    rows.put(uri, row);
  }

  File file(Uri uri) {
    folder.mkdirs();
    return new File(folder, uri.toString().replaceAll("[^A-Za-z0-9.]", "_"));
  }

  @Override
  public boolean onCreate() {
    return true;
  }

  @Override
  public synchronized Cursor query(
      Uri uri, String[] projection, String selection, String[] arguments, String order) {
    List<Uri> found = at(uri);
    String[] columns = projection;
    if (columns == null || columns.length == 0) {
      List<String> names = new ArrayList<>(List.of("_id"));
      if (!found.isEmpty()) {
        names.addAll(rows.get(found.get(0)).keySet());
      }
      columns = names.stream().distinct().toArray(String[]::new);
    }
    MatrixCursor cursor = new MatrixCursor(columns);
    for (Uri row : found) {
      Object[] values = new Object[columns.length];
      for (int i = 0; i < values.length; i++) {
        values[i] = value(row, columns[i]);
      }
      cursor.addRow(values);
    }
    return cursor;
  }

  private Object value(Uri row, String column) {
    ContentValues values = rows.get(row);
    String name = column.substring(column.lastIndexOf(' ') + 1);
    if (values.containsKey(name)) {
      return values.get(name);
    }
    if (name.equals("_id")) {
      String last = row.getLastPathSegment();
      return last != null && last.matches("[0-9]{1,18}") ? Long.valueOf(last) : 1L;
    }
    return name.equals("_size") ? file(row).length() : null;
  }

  /** The row at this Uri, or the rows right below it. */
  private List<Uri> at(Uri uri) {
    Uri plain = uri.buildUpon().clearQuery().fragment(null).build();
    if (rows.containsKey(plain)) {
      return List.of(plain);
    }
    List<Uri> below = new ArrayList<>();
    for (Uri row : rows.keySet()) {
      List<String> path = row.getPathSegments();
      if (path.size() == plain.getPathSegments().size() + 1
          && path.subList(0, path.size() - 1).equals(plain.getPathSegments())) {
        below.add(row);
      }
    }
    return below;
  }

  @Override
  public synchronized Uri insert(Uri uri, ContentValues values) {
    Uri row = ContentUris.withAppendedId(uri.buildUpon().clearQuery().build(), nextId++);
    rows.put(row, values == null ? new ContentValues() : new ContentValues(values));
    return row;
  }

  @Override
  public synchronized int update(
      Uri uri, ContentValues values, String selection, String[] arguments) {
    List<Uri> found = at(uri);
    found.forEach(row -> rows.get(row).putAll(values));
    return found.size();
  }

  @Override
  public synchronized int delete(Uri uri, String selection, String[] arguments) {
    List<Uri> found = at(uri);
    found.forEach(rows::remove);
    return found.size();
  }

  @Override
  public synchronized String getType(Uri uri) {
    ContentValues row = rows.get(uri);
    String own = row == null ? null : row.getAsString("mime_type");
    return own != null && !own.startsWith("vnd.") ? own : StockTypes.of(uri);
  }

  @Override
  public ParcelFileDescriptor openFile(Uri uri, String mode) throws FileNotFoundException {
    File file = file(uri);
    boolean known;
    synchronized (this) {
      known = rows.containsKey(uri);
    }
    if (!known || mode.equals("r") && !file.exists()) {
      throw new FileNotFoundException("No content for " + uri);
    }
    return ParcelFileDescriptor.open(file, ParcelFileDescriptor.parseMode(mode));
  }
}
