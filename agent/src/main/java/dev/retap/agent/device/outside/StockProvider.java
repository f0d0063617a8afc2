// One content provider of a stock phone, empty at first. Rows live under the Uri they were
// inserted at; a query of their folder lists those that its WHERE clause selects.
package dev.retap.agent.device.outside;

import android.content.ContentProvider;
import android.content.ContentUris;
import android.content.ContentValues;
import android.content.Intent;
import android.database.Cursor;
import android.net.Uri;
import android.os.Bundle;
import android.os.ParcelFileDescriptor;
import java.io.File;
import java.io.FileNotFoundException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

final class StockProvider extends ContentProvider {
  private static final String SCAN_FILE = "scan_file";

  private final File folder;
  private final ProviderGuard guard;
  private final Map<Uri, ContentValues> rows = new LinkedHashMap<>();
  private int nextId = 1;

  StockProvider(File folder, ProviderGuard guard) {
    this.folder = folder;
    this.guard = guard;
  }

  synchronized void put(Uri uri, ContentValues row) {
    rows.put(uri, row);
    changed(uri);
  }

  /** Tells observers, as the system's providers do. */
  private void changed(Uri uri) {
    getContext().getContentResolver().notifyChange(uri, null);
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
    guard.checkReading(uri);
    String limit = uri.isHierarchical() ? uri.getQueryParameter("limit") : null;
    RowQuery rowQuery =
        MessageFolders.isPart(uri)
            ? new RowQuery(
                MessageFolders.select(uri, rows.keySet().stream().map(this::complete).toList()))
            : query(urisAt(uri));
    rowQuery.addColumns(StockColumns.of(uri));
    return rowQuery.select(projection, selection, arguments, order, limit);
  }

  private RowQuery query(List<Uri> found) {
    return new RowQuery(found.stream().map(this::complete).toList());
  }

  /** Returns a row with the columns that its provider fills in. */
  private ContentValues complete(Uri uri) {
    ContentValues row = new ContentValues();
    String last = uri.getLastPathSegment();
    row.put("_id", last != null && last.matches("[0-9]{1,18}") ? Long.parseLong(last) : 1L);
    row.putAll(rows.get(uri));
    if (!row.containsKey("_size") && file(uri).exists()) {
      row.put("_size", file(uri).length());
    }
    return row;
  }

  private List<Uri> matching(Uri uri, String selection, String[] arguments) {
    List<Uri> found = urisAt(uri);
    return query(found).matchingRows(selection, arguments).stream().map(found::get).toList();
  }

  /** Returns the Uri itself if it has a row, or else the rows directly below it. */
  private List<Uri> urisAt(Uri uri) {
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
    guard.checkWriting(uri);
    if (MessageFolders.isReadOnly(uri)) {
      return Uri.withAppendedPath(uri, "0");
    }
    return record(uri, values);
  }

  /** Adds a row, as the system itself may. */
  synchronized Uri record(Uri uri, ContentValues values) {
    Uri row = ContentUris.withAppendedId(uri.buildUpon().clearQuery().build(), nextId++);
    rows.put(row, values == null ? new ContentValues() : new ContentValues(values));
    changed(row);
    return row;
  }

  @Override
  public synchronized int update(
      Uri uri, ContentValues values, String selection, String[] arguments) {
    guard.checkWriting(uri);
    if (MessageFolders.isReadOnly(uri)) {
      return 0;
    }
    List<Uri> found = matching(uri, selection, arguments);
    found.forEach(row -> rows.get(row).putAll(values));
    found.forEach(this::changed);
    return found.size();
  }

  @Override
  public synchronized int delete(Uri uri, String selection, String[] arguments) {
    guard.checkWriting(uri);
    if (MessageFolders.isReadOnly(uri)) {
      return 0;
    }
    List<Uri> found = matching(uri, selection, arguments);
    found.forEach(rows::remove);
    found.forEach(this::changed);
    return found.size();
  }

  /**
   * Answers a call of the framework's: a file that is scanned keeps its address, and otherwise
   * there is nothing to tell, which is not the same as null.
   */
  @Override
  public Bundle call(String method, String argument, Bundle extras) {
    Bundle answer = new Bundle();
    if (method.equals(SCAN_FILE) && argument != null) {
      answer.putParcelable(Intent.EXTRA_STREAM, Uri.fromFile(new File(argument)));
    }
    return answer;
  }

  @Override
  public synchronized String getType(Uri uri) {
    ContentValues row = rows.get(uri);
    String own = row == null ? null : row.getAsString("mime_type");
    return own != null && !own.startsWith("vnd.") ? own : StockMimeTypes.of(uri);
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
