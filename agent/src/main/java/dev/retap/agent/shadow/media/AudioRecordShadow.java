// The native methods of audio records: without its permission an app gets none, and with it silence
// at the pace of the sound.
package dev.retap.agent.shadow.media;

import android.Manifest;
import android.content.pm.PackageManager;
import android.media.AudioRecord;
import android.media.AudioTimestamp;
import android.os.Parcel;
import android.os.PersistableBundle;
import android.os.SystemClock;
import dev.retap.agent.shadow.surface.SurfaceFrames;
import dev.retap.agent.world.Blocking;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;

@Implements(AudioRecord.class)
public class AudioRecordShadow {
  private static final int INITIALIZATION_FAILED = -20;
  private static final int LOWEST_RATE = 4_000;
  private static final int HIGHEST_RATE = 192_000;
  private static final long NANOS_A_MILLI = 1_000_000;

  private final SurfaceFrames pace = new SurfaceFrames();
  private SoundFormat format;
  private int bufferBytes;
  private boolean records;
  private long startedAt;
  private long readBytes;
  private int marker;
  private int period;

  @Implementation
  protected static int native_get_min_buff_size(int rate, int channels, int encoding) {
    return rate < LOWEST_RATE || rate > HIGHEST_RATE
        ? AudioRecord.ERROR_BAD_VALUE
        : SoundFormat.smallestBuffer(rate, channels, encoding);
  }

  @Implementation(maxSdk = 23)
  protected int native_setup(
      Object self,
      Object attributes,
      int rate,
      int mask,
      int indexMask,
      int encoding,
      int bytes,
      int[] session,
      String packageName) {
    return setUp(rate, mask, indexMask, encoding, bytes, session);
  }

  @Implementation(minSdk = 24, maxSdk = 30)
  protected int native_setup(
      Object self,
      Object attributes,
      int[] rate,
      int mask,
      int indexMask,
      int encoding,
      int bytes,
      int[] session,
      String packageName,
      long known) {
    return setUp(rate[0], mask, indexMask, encoding, bytes, session);
  }

  @Implementation(minSdk = 31, maxSdk = 33)
  protected int native_setup(
      Object self,
      Object attributes,
      int[] rate,
      int mask,
      int indexMask,
      int encoding,
      int bytes,
      int[] session,
      Parcel attribution,
      long known,
      int sharedMillis) {
    return setUp(rate[0], mask, indexMask, encoding, bytes, session);
  }

  @Implementation(minSdk = 34)
  protected int native_setup(
      Object self,
      Object attributes,
      int[] rate,
      int mask,
      int indexMask,
      int encoding,
      int bytes,
      int[] session,
      Parcel attribution,
      long known,
      int sharedMillis,
      int flags) {
    return setUp(rate[0], mask, indexMask, encoding, bytes, session);
  }

  private int setUp(int rate, int mask, int indexMask, int encoding, int bytes, int[] session) {
    if (RuntimeEnvironment.getApplication().checkSelfPermission(Manifest.permission.RECORD_AUDIO)
        != PackageManager.PERMISSION_GRANTED) {
      return INITIALIZATION_FAILED;
    }
    if (session[0] == 0) {
      session[0] = SoundSessions.next();
    }
    format = SoundFormat.of(rate, mask, indexMask, encoding);
    bufferBytes = bytes;
    return AudioRecord.SUCCESS;
  }

  @Implementation
  protected synchronized int native_start(int event, int session) {
    if (!records) {
      records = true;
      readBytes = 0;
      startedAt = SystemClock.uptimeMillis();
    }
    return AudioRecord.SUCCESS;
  }

  @Implementation
  protected synchronized void native_stop() {
    records = false;
  }

  @Implementation
  protected void native_release() {
    native_stop();
  }

  @Implementation
  protected int native_read_in_byte_array(byte[] data, int offset, int size, boolean waits) {
    int read = read(size, 1, waits);
    Arrays.fill(data, offset, offset + read, (byte) 0);
    return read;
  }

  @Implementation
  protected int native_read_in_short_array(short[] data, int offset, int size, boolean waits) {
    int read = read(size, 2, waits);
    Arrays.fill(data, offset, offset + read, (short) 0);
    return read;
  }

  @Implementation
  protected int native_read_in_float_array(float[] data, int offset, int size, boolean waits) {
    int read = read(size, 4, waits);
    Arrays.fill(data, offset, offset + read, 0);
    return read;
  }

  @Implementation
  protected int native_read_in_direct_buffer(Object buffer, int size, boolean waits) {
    ByteBuffer data = (ByteBuffer) buffer;
    if (!data.isDirect()) {
      return AudioRecord.ERROR_BAD_VALUE;
    }
    int read = read(Math.min(size, data.capacity()), 1, waits);
    for (int i = 0; i < read; i++) {
      data.put(i, (byte) 0);
    }
    return read;
  }

  /** Returns the number of samples that are there, after a wait if it may wait. */
  private int read(int size, int sampleBytes, boolean waits) {
    long wait;
    synchronized (this) {
      if (!records) {
        return 0;
      }
      long heard = format.frames(SystemClock.uptimeMillis() - startedAt) * format.frameBytes();
      long there = Math.max(0, heard - readBytes);
      long wanted = (long) size * sampleBytes;
      if (there >= wanted || !waits) {
        long taken = Math.min(there, wanted) / sampleBytes * sampleBytes;
        readBytes += taken;
        return (int) (taken / sampleBytes);
      }
      wait = pace.stretch(format.millis(wanted - there));
      // What comes while nobody reads is lost.
      readBytes = heard + format.frames(wait) * format.frameBytes();
    }
    try {
      Blocking.sleep(wait);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return size;
  }

  @Implementation
  protected int native_get_buffer_size_in_frames() {
    return bufferBytes / format.frameBytes();
  }

  @Implementation
  protected int native_set_marker_pos(int frames) {
    marker = frames;
    return AudioRecord.SUCCESS;
  }

  @Implementation
  protected int native_get_marker_pos() {
    return marker;
  }

  @Implementation
  protected int native_set_pos_update_period(int frames) {
    period = frames;
    return AudioRecord.SUCCESS;
  }

  @Implementation
  protected int native_get_pos_update_period() {
    return period;
  }

  @Implementation
  protected boolean native_setInputDevice(int device) {
    return true;
  }

  @Implementation
  protected int native_getRoutedDeviceId() {
    return 0;
  }

  @Implementation
  protected int native_get_timestamp(AudioTimestamp time, int base) {
    if (!records) {
      return AudioRecord.ERROR_INVALID_OPERATION;
    }
    time.framePosition = format.frames(SystemClock.uptimeMillis() - startedAt);
    time.nanoTime = SystemClock.uptimeMillis() * NANOS_A_MILLI;
    return AudioRecord.SUCCESS;
  }

  @Implementation
  protected int native_get_active_microphones(ArrayList<?> microphones) {
    return AudioRecord.SUCCESS;
  }

  @Implementation
  protected int native_getPortId() {
    return 1;
  }

  @Implementation
  protected PersistableBundle native_getMetrics() {
    return new PersistableBundle();
  }
}
