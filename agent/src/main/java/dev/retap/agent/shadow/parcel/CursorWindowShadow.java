// Writes cursor windows to parcels value by value, where a phone passes shared memory on.
package dev.retap.agent.shadow.parcel;

import static org.robolectric.util.reflector.Reflector.reflector;

import android.database.Cursor;
import android.database.CursorWindow;
import android.os.Parcel;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowNativeCursorWindow;
import org.robolectric.util.reflector.ForType;
import org.robolectric.util.reflector.Static;

@Implements(value = CursorWindow.class, isInAndroidSdk = false, callNativeMethodsByDefault = true)
public class CursorWindowShadow extends ShadowNativeCursorWindow {
  /** The size of a window on a phone. */
  private static final int SIZE = 2 << 20;

  @Implementation
  protected static void nativeWriteToParcel(long window, Parcel parcel) {
    Windows windows = reflector(Windows.class);
    int rows = windows.nativeGetNumRows(window);
    int columns = rows == 0 ? 0 : countColumns(windows, window);
    parcel.writeString(windows.nativeGetName(window));
    parcel.writeInt(rows);
    parcel.writeInt(columns);
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        int type = windows.nativeGetType(window, row, column);
        parcel.writeInt(type);
        switch (type) {
          case Cursor.FIELD_TYPE_INTEGER ->
              parcel.writeLong(windows.nativeGetLong(window, row, column));
          case Cursor.FIELD_TYPE_FLOAT ->
              parcel.writeDouble(windows.nativeGetDouble(window, row, column));
          case Cursor.FIELD_TYPE_STRING ->
              parcel.writeString(windows.nativeGetString(window, row, column));
          case Cursor.FIELD_TYPE_BLOB ->
              parcel.writeByteArray(windows.nativeGetBlob(window, row, column));
          default -> {}
        }
      }
    }
  }

  @Implementation
  protected static long nativeCreateFromParcel(Parcel parcel) {
    Windows windows = reflector(Windows.class);
    long window = windows.nativeCreate(parcel.readString(), SIZE);
    int rows = parcel.readInt();
    int columns = parcel.readInt();
    windows.nativeSetNumColumns(window, columns);
    for (int row = 0; row < rows; row++) {
      windows.nativeAllocRow(window);
      for (int column = 0; column < columns; column++) {
        switch (parcel.readInt()) {
          case Cursor.FIELD_TYPE_INTEGER ->
              windows.nativePutLong(window, parcel.readLong(), row, column);
          case Cursor.FIELD_TYPE_FLOAT ->
              windows.nativePutDouble(window, parcel.readDouble(), row, column);
          case Cursor.FIELD_TYPE_STRING ->
              windows.nativePutString(window, parcel.readString(), row, column);
          case Cursor.FIELD_TYPE_BLOB ->
              windows.nativePutBlob(window, parcel.createByteArray(), row, column);
          default -> windows.nativePutNull(window, row, column);
        }
      }
    }
    return window;
  }

  /** Counts the columns of the first row. No method tells; a column that is not there throws. */
  private static int countColumns(Windows windows, long window) {
    for (int column = 0; ; column++) {
      try {
        if (windows.nativeGetType(window, 0, column) == Cursor.FIELD_TYPE_NULL) {
          windows.nativeGetLong(window, 0, column);
        }
      } catch (IllegalStateException e) {
        return column;
      }
    }
  }

  @ForType(CursorWindow.class)
  private interface Windows {
    @Static
    long nativeCreate(String name, int size);

    @Static
    String nativeGetName(long window);

    @Static
    int nativeGetNumRows(long window);

    @Static
    int nativeGetType(long window, int row, int column);

    @Static
    long nativeGetLong(long window, int row, int column);

    @Static
    double nativeGetDouble(long window, int row, int column);

    @Static
    String nativeGetString(long window, int row, int column);

    @Static
    byte[] nativeGetBlob(long window, int row, int column);

    @Static
    boolean nativeSetNumColumns(long window, int columns);

    @Static
    boolean nativeAllocRow(long window);

    @Static
    boolean nativePutLong(long window, long value, int row, int column);

    @Static
    boolean nativePutDouble(long window, double value, int row, int column);

    @Static
    boolean nativePutString(long window, String value, int row, int column);

    @Static
    boolean nativePutBlob(long window, byte[] value, int row, int column);

    @Static
    boolean nativePutNull(long window, int row, int column);
  }
}
