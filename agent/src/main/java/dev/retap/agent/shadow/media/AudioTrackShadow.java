// The native methods of audio tracks. They play silence at the pace of the sound.
package dev.retap.agent.shadow.media;

import android.media.AudioTrack;
import android.media.PlaybackParams;
import android.os.Parcel;
import android.os.PersistableBundle;
import android.os.SystemClock;
import java.nio.ByteBuffer;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

@Implements(AudioTrack.class)
public class AudioTrackShadow {
  private static final int OUTPUT_RATE = 48_000;
  private static final int MOST_CHANNELS = 8;
  private static final int LATENCY_MILLIS = 40;
  private static final long NANOS_A_MILLI = 1_000_000;

  /** Null once the track is released. */
  private NativeTrack track;

  private int playbackRate;
  private PlaybackParams parameters = new PlaybackParams().allowDefaults();

  @Implementation
  protected static int native_get_output_sample_rate(int stream) {
    return OUTPUT_RATE;
  }

  @Implementation
  protected static int native_get_min_buff_size(int rate, int channels, int encoding) {
    return SoundFormat.smallestBuffer(rate, channels, encoding);
  }

  @Implementation(maxSdk = 28)
  protected static int native_get_FCC_8() {
    return MOST_CHANNELS;
  }

  @Implementation(minSdk = 29)
  protected static boolean native_is_direct_output_supported(
      int encoding, int rate, int mask, int indexMask, int content, int usage, int flags) {
    return false;
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
      int mode,
      int[] session) {
    return setUp(self, rate, mask, indexMask, encoding, bytes, mode, session);
  }

  @Implementation(minSdk = 24, maxSdk = 27)
  protected int native_setup(
      Object self,
      Object attributes,
      int[] rate,
      int mask,
      int indexMask,
      int encoding,
      int bytes,
      int mode,
      int[] session,
      long known) {
    return setUp(self, rate[0], mask, indexMask, encoding, bytes, mode, session);
  }

  @Implementation(minSdk = 28, maxSdk = 29)
  protected int native_setup(
      Object self,
      Object attributes,
      int[] rate,
      int mask,
      int indexMask,
      int encoding,
      int bytes,
      int mode,
      int[] session,
      long known,
      boolean offload) {
    return setUp(self, rate[0], mask, indexMask, encoding, bytes, mode, session);
  }

  @Implementation(minSdk = 30, maxSdk = 30)
  protected int native_setup(
      Object self,
      Object attributes,
      int[] rate,
      int mask,
      int indexMask,
      int encoding,
      int bytes,
      int mode,
      int[] session,
      long known,
      boolean offload,
      int encapsulation,
      Object tuner) {
    return setUp(self, rate[0], mask, indexMask, encoding, bytes, mode, session);
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
      int mode,
      int[] session,
      long known,
      boolean offload,
      int encapsulation,
      Object tuner,
      String packageName) {
    return setUp(self, rate[0], mask, indexMask, encoding, bytes, mode, session);
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
      int mode,
      int[] session,
      Parcel attribution,
      long known,
      boolean offload,
      int encapsulation,
      Object tuner,
      String packageName) {
    return setUp(self, rate[0], mask, indexMask, encoding, bytes, mode, session);
  }

  private int setUp(
      Object self,
      int rate,
      int mask,
      int indexMask,
      int encoding,
      int bytes,
      int mode,
      int[] session) {
    if (session[0] == 0) {
      session[0] = SoundSessions.next();
    }
    playbackRate = rate == 0 ? OUTPUT_RATE : rate;
    track =
        new NativeTrack(
            SoundFormat.of(playbackRate, mask, indexMask, encoding),
            mode == AudioTrack.MODE_STATIC,
            bytes,
            message -> tell(self, message));
    return AudioTrack.SUCCESS;
  }

  private static void tell(Object self, int message) {
    ReflectionHelpers.callStaticMethod(
        AudioTrack.class,
        "postEventFromNative",
        ClassParameter.from(Object.class, self),
        ClassParameter.from(int.class, message),
        ClassParameter.from(int.class, 0),
        ClassParameter.from(int.class, 0),
        ClassParameter.from(Object.class, null));
  }

  private NativeTrack track() {
    if (track == null) {
      throw new IllegalStateException("Unable to retrieve AudioTrack pointer");
    }
    return track;
  }

  @Implementation
  protected void native_release() {
    if (track != null) {
      track.stop();
      track = null;
    }
  }

  @Implementation
  protected void native_finalize() {
    native_release();
  }

  @Implementation
  protected void native_start() {
    track().start();
  }

  @Implementation
  protected void native_pause() {
    track().pause();
  }

  @Implementation
  protected void native_stop() {
    track().stop();
  }

  @Implementation
  protected void native_flush() {
    track().flush();
  }

  @Implementation
  protected int native_write_byte(byte[] data, int offset, int size, int format, boolean waits) {
    return write(size, 1, waits);
  }

  @Implementation
  protected int native_write_short(short[] data, int offset, int size, int format, boolean waits) {
    return write(size, 2, waits);
  }

  @Implementation
  protected int native_write_float(float[] data, int offset, int size, int format, boolean waits) {
    return write(size, 4, waits);
  }

  @Implementation(maxSdk = 29, methodName = "native_write_native_bytes")
  protected int writeOldBuffer(Object data, int position, int size, int format, boolean waits) {
    return write(size, 1, waits);
  }

  @Implementation(minSdk = 30)
  protected int native_write_native_bytes(
      ByteBuffer data, int position, int size, int format, boolean waits) {
    return write(size, 1, waits);
  }

  /** Writes samples. Returns how many, or an error. */
  private int write(int size, int sampleBytes, boolean waits) {
    return track == null
        ? AudioTrack.ERROR_INVALID_OPERATION
        : track.write(size * sampleBytes, waits) / sampleBytes;
  }

  @Implementation
  protected int native_reload_static() {
    track().stop();
    return AudioTrack.SUCCESS;
  }

  @Implementation(maxSdk = 23)
  protected int native_get_native_frame_count() {
    return track().bufferFrames();
  }

  @Implementation
  protected int native_get_buffer_size_frames() {
    return track().bufferFrames();
  }

  @Implementation
  protected int native_set_buffer_size_frames(int frames) {
    return track().bufferFrames();
  }

  @Implementation
  protected int native_get_buffer_capacity_frames() {
    return track().bufferFrames();
  }

  @Implementation
  protected void native_setVolume(float left, float right) {}

  @Implementation
  protected int native_set_playback_rate(int rate) {
    playbackRate = rate;
    return AudioTrack.SUCCESS;
  }

  @Implementation
  protected int native_get_playback_rate() {
    return playbackRate;
  }

  @Implementation
  protected void native_set_playback_params(PlaybackParams parameters) {
    this.parameters = parameters;
  }

  @Implementation
  protected PlaybackParams native_get_playback_params() {
    return parameters;
  }

  @Implementation
  protected int native_set_marker_pos(int frames) {
    track().setMarker(frames);
    return AudioTrack.SUCCESS;
  }

  @Implementation
  protected int native_get_marker_pos() {
    return track().marker();
  }

  @Implementation
  protected int native_set_pos_update_period(int frames) {
    track().setPeriod(frames);
    return AudioTrack.SUCCESS;
  }

  @Implementation
  protected int native_get_pos_update_period() {
    return track().period();
  }

  @Implementation
  protected int native_set_position(int frames) {
    return AudioTrack.SUCCESS;
  }

  @Implementation
  protected int native_get_position() {
    return (int) track().position();
  }

  @Implementation
  protected int native_get_latency() {
    return LATENCY_MILLIS;
  }

  @Implementation
  protected int native_get_underrun_count() {
    return 0;
  }

  @Implementation
  protected int native_get_flags() {
    return 0;
  }

  @Implementation
  protected int native_get_timestamp(long[] frameAndTime) {
    long position = track().position();
    if (position == 0) {
      return AudioTrack.ERROR_INVALID_OPERATION;
    }
    frameAndTime[0] = position;
    frameAndTime[1] = SystemClock.uptimeMillis() * NANOS_A_MILLI;
    return AudioTrack.SUCCESS;
  }

  @Implementation
  protected int native_set_loop(int start, int end, int count) {
    return AudioTrack.SUCCESS;
  }

  @Implementation
  protected int native_attachAuxEffect(int effect) {
    return AudioTrack.SUCCESS;
  }

  @Implementation
  protected int native_setAuxEffectSendLevel(float level) {
    return AudioTrack.SUCCESS;
  }

  @Implementation
  protected boolean native_setOutputDevice(int device) {
    return true;
  }

  @Implementation
  protected int native_getRoutedDeviceId() {
    return 0;
  }

  @Implementation
  protected PersistableBundle native_getMetrics() {
    return new PersistableBundle();
  }
}
