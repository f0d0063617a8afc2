// The native half of parcels, on real bytes. API levels differ in names and results: a method here
// has every name that a level uses, and a result that a level does not expect is dropped.
package dev.retap.agent.shadow.parcel;

import static dev.retap.agent.shadow.parcel.ParcelTable.get;
import static org.robolectric.util.reflector.Reflector.reflector;

import android.os.IBinder;
import android.os.Parcel;
import java.io.FileDescriptor;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadows.ShadowParcel;
import org.robolectric.util.reflector.Accessor;
import org.robolectric.util.reflector.ForType;

@Implements(Parcel.class)
public class ParcelShadow extends ShadowParcel {
  private static final int LAST_WITH_OWN_CHECK = 28;
  private static final int API_LEVEL = RuntimeEnvironment.getApiLevel();
  private static final int FIRST_WITH_WORK_SOURCE = 29;
  private static final int FIRST_WITH_HEADER = 30;
  private static final int FIRST_WITH_STABILITY = 30;
  private static final int NO_WORK_SOURCE = -1;

  /** The word SYST. */
  private static final int HEADER = 0x53595354;

  @RealObject private Parcel real;

  @Implementation
  public static long nativeCreate() {
    return ParcelTable.add();
  }

  @Implementation
  protected static void nativeDestroy(long parcel) {
    ParcelTable.remove(parcel);
  }

  @Implementation
  protected static void nativeFreeBuffer(long parcel) {
    get(parcel).clear();
  }

  @Implementation
  protected static int nativeDataSize(long parcel) {
    return get(parcel).size();
  }

  @Implementation
  protected static int nativeDataAvail(long parcel) {
    return get(parcel).available();
  }

  @Implementation
  protected static int nativeDataPosition(long parcel) {
    return get(parcel).position();
  }

  @Implementation
  protected static int nativeDataCapacity(long parcel) {
    return get(parcel).capacity();
  }

  @Implementation
  protected static void nativeSetDataSize(long parcel, int size) {
    get(parcel).setSize(size);
  }

  @Implementation
  protected static void nativeSetDataPosition(long parcel, int position) {
    get(parcel).setPosition(position);
  }

  @Implementation
  protected static void nativeSetDataCapacity(long parcel, int capacity) {
    get(parcel).setCapacity(capacity);
  }

  @Implementation
  protected static int nativeWriteInt(long parcel, int value) {
    get(parcel).writeInt(value);
    return 0;
  }

  @Implementation
  protected static int nativeWriteLong(long parcel, long value) {
    get(parcel).writeLong(value);
    return 0;
  }

  @Implementation
  protected static int nativeWriteFloat(long parcel, float value) {
    get(parcel).writeInt(Float.floatToRawIntBits(value));
    return 0;
  }

  @Implementation
  protected static int nativeWriteDouble(long parcel, double value) {
    get(parcel).writeLong(Double.doubleToRawLongBits(value));
    return 0;
  }

  @Implementation
  protected static int nativeReadInt(long parcel) {
    return get(parcel).readInt();
  }

  @Implementation
  protected static long nativeReadLong(long parcel) {
    return get(parcel).readLong();
  }

  @Implementation
  protected static float nativeReadFloat(long parcel) {
    return Float.intBitsToFloat(get(parcel).readInt());
  }

  @Implementation
  protected static double nativeReadDouble(long parcel) {
    return Double.longBitsToDouble(get(parcel).readLong());
  }

  @Implementation
  protected static void nativeWriteString(long parcel, String value) {
    get(parcel).writeString16(value);
  }

  @Implementation
  protected static void nativeWriteString16(long parcel, String value) {
    get(parcel).writeString16(value);
  }

  @Implementation
  protected static void nativeWriteString8(long parcel, String value) {
    get(parcel).writeString8(value);
  }

  @Implementation
  protected static String nativeReadString(long parcel) {
    return get(parcel).readString16();
  }

  @Implementation
  protected static String nativeReadString16(long parcel) {
    return get(parcel).readString16();
  }

  @Implementation
  protected static String nativeReadString8(long parcel) {
    return get(parcel).readString8();
  }

  /** The framework checks the range with a method that only Android's Arrays has. */
  @Implementation(maxSdk = LAST_WITH_OWN_CHECK)
  protected void writeByteArray(byte[] bytes, int offset, int length) {
    requireRange(bytes, offset, length);
    get(reflector(Fields.class, real).getNativePtr()).writeBytes(bytes, offset, length);
  }

  @Implementation(maxSdk = LAST_WITH_OWN_CHECK)
  protected void writeBlob(byte[] bytes, int offset, int length) {
    requireRange(bytes, offset, length);
    get(reflector(Fields.class, real).getNativePtr()).writeBlob(bytes, offset, length);
  }

  private static void requireRange(byte[] bytes, int offset, int length) {
    if (bytes != null && ((offset | length) < 0 || offset > bytes.length - length)) {
      throw new ArrayIndexOutOfBoundsException(
          "length=" + bytes.length + "; regionStart=" + offset + "; regionLength=" + length);
    }
  }

  @ForType(Parcel.class)
  private interface Fields {
    @Accessor("mNativePtr")
    long getNativePtr();
  }

  @Implementation
  protected static void nativeWriteByteArray(long parcel, byte[] bytes, int offset, int length) {
    get(parcel).writeBytes(bytes, offset, length);
  }

  @Implementation
  protected static byte[] nativeCreateByteArray(long parcel) {
    return get(parcel).readBytes();
  }

  @Implementation
  protected static boolean nativeReadByteArray(long parcel, byte[] into, int length) {
    ParcelBytes bytes = get(parcel);
    int start = bytes.position();
    byte[] read = bytes.readBytes();
    if (read == null || read.length != length || into == null) {
      bytes.setPosition(Math.min(start + Integer.BYTES, bytes.size()));
      return false;
    }
    System.arraycopy(read, 0, into, 0, length);
    return true;
  }

  @Implementation
  protected static void nativeWriteBlob(long parcel, byte[] bytes, int offset, int length) {
    get(parcel).writeBlob(bytes, offset, length);
  }

  @Implementation
  protected static byte[] nativeReadBlob(long parcel) {
    return get(parcel).readBlob();
  }

  @Implementation
  protected static void nativeWriteStrongBinder(long parcel, IBinder binder) {
    get(parcel).writeObject(binder, false);
    if (API_LEVEL >= FIRST_WITH_STABILITY) {
      get(parcel).writeInt(0);
    }
  }

  @Implementation
  protected static IBinder nativeReadStrongBinder(long parcel) {
    IBinder binder = (IBinder) get(parcel).readObject(false);
    if (API_LEVEL >= FIRST_WITH_STABILITY) {
      get(parcel).readInt();
    }
    return binder;
  }

  @Implementation
  protected static long nativeWriteFileDescriptor(long parcel, FileDescriptor descriptor) {
    if (!get(parcel).allowsDescriptors()) {
      throw new RuntimeException("Not allowed to write file descriptors here");
    }
    get(parcel).writeObject(descriptor, true);
    return 0;
  }

  @Implementation
  protected static FileDescriptor nativeReadFileDescriptor(long parcel) {
    return (FileDescriptor) get(parcel).readObject(true);
  }

  @Implementation
  protected static boolean nativePushAllowFds(long parcel, boolean allow) {
    boolean last = get(parcel).allowsDescriptors();
    get(parcel).setAllowsDescriptors(last && allow);
    return last;
  }

  @Implementation
  protected static void nativeRestoreAllowFds(long parcel, boolean last) {
    get(parcel).setAllowsDescriptors(last);
  }

  @Implementation
  protected static boolean nativeHasFileDescriptors(long parcel) {
    return get(parcel).hasObjects(true, 0, get(parcel).size());
  }

  @Implementation
  protected static boolean nativeHasFileDescriptorsInRange(long parcel, int offset, int length) {
    requireRange(get(parcel), offset, length);
    return get(parcel).hasObjects(true, offset, length);
  }

  @Implementation
  protected static boolean nativeHasBinders(long parcel) {
    return get(parcel).hasObjects(false, 0, get(parcel).size());
  }

  @Implementation
  protected static boolean nativeHasBindersInRange(long parcel, int offset, int length) {
    requireRange(get(parcel), offset, length);
    return get(parcel).hasObjects(false, offset, length);
  }

  @Implementation
  protected static byte[] nativeMarshall(long parcel) {
    if (get(parcel).hasObjects()) {
      throw new RuntimeException("Tried to marshall a Parcel that contained Binder objects.");
    }
    return get(parcel).toArray();
  }

  @Implementation
  protected static void nativeUnmarshall(long parcel, byte[] bytes, int offset, int length) {
    if (bytes != null && length >= 0) {
      get(parcel).set(bytes, offset, length);
    }
  }

  @Implementation
  protected static void nativeAppendFrom(long parcel, long from, int offset, int length) {
    if (length != 0) {
      requireRange(get(from), offset, length);
      get(parcel).append(get(from), offset, length);
    }
  }

  @Implementation
  protected static int nativeCompareData(long parcel, long other) {
    return get(parcel).compareTo(get(other));
  }

  @Implementation
  protected static boolean nativeCompareDataInRange(
      long parcel, int offset, long other, int otherOffset, int length) {
    requireRange(get(parcel), offset, length);
    requireRange(get(other), otherOffset, length);
    return get(parcel).rangeEquals(offset, get(other), otherOffset, length);
  }

  private static void requireRange(ParcelBytes parcel, int offset, int length) {
    if (!parcel.contains(offset, length)) {
      throw new IllegalArgumentException();
    }
  }

  @Implementation
  protected static void nativeWriteInterfaceToken(long parcel, String name) {
    ParcelBytes bytes = get(parcel);
    bytes.writeInt(0);
    if (API_LEVEL >= FIRST_WITH_WORK_SOURCE) {
      bytes.writeInt(NO_WORK_SOURCE);
    }
    if (API_LEVEL >= FIRST_WITH_HEADER) {
      bytes.writeInt(HEADER);
    }
    bytes.writeString16(name);
  }

  @Implementation
  protected static void nativeEnforceInterface(long parcel, String name) {
    ParcelBytes bytes = get(parcel);
    bytes.readInt();
    if (API_LEVEL >= FIRST_WITH_WORK_SOURCE) {
      bytes.readInt();
    }
    boolean isKnown = API_LEVEL < FIRST_WITH_HEADER || bytes.readInt() == HEADER;
    if (!isKnown || !name.equals(bytes.readString16())) {
      throw new SecurityException("Binder invocation to an incorrect interface");
    }
  }

  @Implementation
  protected static int nativeReadCallingWorkSourceUid(long parcel) {
    return NO_WORK_SOURCE;
  }

  @Implementation
  protected static boolean nativeReplaceCallingWorkSourceUid(long parcel, int uid) {
    return false;
  }

  @Implementation
  protected static boolean nativeIsForRpc(long parcel) {
    return false;
  }

  /** Does nothing: nobody else can read the memory of a parcel. */
  @Implementation
  protected static void nativeMarkSensitive(long parcel) {}

  /** Does nothing: every binder is of this process. */
  @Implementation
  protected static void nativeMarkForBinder(long parcel, IBinder binder) {}

  @Implementation
  protected static long nativeGetBlobAshmemSize(long parcel) {
    return 0;
  }

  @Implementation
  protected static long nativeGetOpenAshmemSize(long parcel) {
    return 0;
  }
}
