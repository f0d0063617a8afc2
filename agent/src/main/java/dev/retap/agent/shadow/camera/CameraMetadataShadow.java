// The native half of a camera's settings and results: a table of values by their names. On a phone
// it is packed bytes, which no app can see.
package dev.retap.agent.shadow.camera;

import android.hardware.camera2.impl.CameraMetadataNative;
import android.os.Parcel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.util.ReflectionHelpers;

@Implements(value = CameraMetadataNative.class, isInAndroidSdk = false)
public class CameraMetadataShadow {
  private static final Map<Long, Map<String, Object>> TABLES = new HashMap<>();
  private static long last;

  @RealObject private CameraMetadataNative real;

  /** Forgets the tables of an ended process. */
  public static synchronized void forget() {
    TABLES.clear();
    last = 0;
  }

  private static synchronized long keep(Map<String, Object> table) {
    TABLES.put(++last, table);
    return last;
  }

  private static synchronized Map<String, Object> table(long pointer) {
    return TABLES.getOrDefault(pointer, Map.of());
  }

  private long pointer() {
    return ReflectionHelpers.<Long>getField(real, "mMetadataPtr");
  }

  @Implementation
  protected Object getBase(CameraMetadataNative.Key<?> key) {
    return table(pointer()).get(key.getName());
  }

  @Implementation
  protected void setBase(CameraMetadataNative.Key<?> key, Object value) {
    if (value == null) {
      table(pointer()).remove(key.getName());
    } else {
      table(pointer()).put(key.getName(), value);
    }
  }

  @Implementation
  protected static long nativeAllocate() {
    return keep(new HashMap<>());
  }

  @Implementation
  protected static long nativeAllocateCopy(long other) {
    return keep(new HashMap<>(table(other)));
  }

  /** Makes an entry for this object before API 30. */
  @Implementation(maxSdk = 29)
  protected long nativeAllocateCopy(CameraMetadataNative other) {
    return nativeAllocateCopy(ReflectionHelpers.<Long>getField(other, "mMetadataPtr"));
  }

  @Implementation
  protected static void nativeUpdate(long into, long from) {
    table(into).putAll(table(from));
  }

  @Implementation
  protected static synchronized void nativeSwap(long one, long other) {
    Map<String, Object> first = TABLES.get(one);
    TABLES.put(one, TABLES.get(other));
    TABLES.put(other, first);
  }

  @Implementation(maxSdk = 29)
  protected void nativeSwap(CameraMetadataNative other) {
    nativeSwap(pointer(), ReflectionHelpers.<Long>getField(other, "mMetadataPtr"));
  }

  @Implementation
  protected static synchronized void nativeClose(long pointer) {
    TABLES.remove(pointer);
  }

  @Implementation(maxSdk = 29)
  protected void nativeClose() {
    nativeClose(pointer());
  }

  @Implementation
  protected static boolean nativeIsEmpty(long pointer) {
    return table(pointer).isEmpty();
  }

  @Implementation(maxSdk = 29)
  protected boolean nativeIsEmpty() {
    return nativeIsEmpty(pointer());
  }

  @Implementation
  protected static int nativeGetEntryCount(long pointer) {
    return table(pointer).size();
  }

  @Implementation(maxSdk = 29)
  protected int nativeGetEntryCount() {
    return nativeGetEntryCount(pointer());
  }

  @Implementation
  protected static long nativeGetBufferSize(long pointer) {
    return 0;
  }

  @Implementation
  protected static void nativeSetVendorId(long pointer, long vendor) {}

  @Implementation
  protected static int nativeSetupGlobalVendorTagDescriptor() {
    return 0;
  }

  /** Returns no keys: this camera's maker has added none. */
  @Implementation
  protected static ArrayList<?> nativeGetAllVendorKeys(long pointer, Class<?> type) {
    return new ArrayList<>();
  }

  @Implementation(maxSdk = 29)
  protected ArrayList<?> nativeGetAllVendorKeys(Class<?> type) {
    return new ArrayList<>();
  }

  @Implementation
  protected static void nativeWriteToParcel(Parcel parcel, long pointer) {}

  @Implementation
  protected static void nativeReadFromParcel(Parcel parcel, long pointer) {}
}
