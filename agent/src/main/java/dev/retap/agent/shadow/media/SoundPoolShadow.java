// The native methods of sound pools: samples are loaded a moment later, and told so; streams are
// numbered and play silence.
package dev.retap.agent.shadow.media;

import android.media.SoundPool;
import android.os.Handler;
import android.os.Looper;
import java.io.FileDescriptor;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

@Implements(SoundPool.class)
public class SoundPoolShadow {
  private static final int SAMPLE_LOADED = 1;
  private static final int LOAD_MILLIS = 20;

  @RealObject private SoundPool pool;
  private final Set<Integer> known = new HashSet<>();
  private final Set<Integer> loaded = new HashSet<>();
  private Object self;
  private int lastSample;
  private int lastStream;

  @Implementation
  protected static void __staticInitializer__() {}

  @Implementation
  protected int native_setup(Object reference, int streams, Object attributes) {
    self = reference;
    return 0;
  }

  @Implementation
  protected int native_setup(Object reference, int streams, Object attributes, String packageName) {
    self = reference;
    return 0;
  }

  @Implementation
  protected int native_setup(int streams, Object attributes, String packageName) {
    return 0;
  }

  @Implementation
  protected void native_release() {
    known.clear();
    loaded.clear();
  }

  @Implementation
  protected int _load(FileDescriptor file, long offset, long length, int priority)
      throws IOException {
    if (file == null) {
      return 0;
    }
    boolean canPlay = MediaDescription.read(MediaBytes.of(file, offset, length)) != null;
    int sample = ++lastSample;
    known.add(sample);
    new Handler(Looper.getMainLooper())
        .postDelayed(
            () -> {
              if (known.contains(sample)) {
                if (canPlay) {
                  loaded.add(sample);
                }
                tellLoaded(sample, canPlay ? NativePlayer.OK : NativePlayer.UNKNOWN_ERROR);
              }
            },
            LOAD_MILLIS);
    return sample;
  }

  private void tellLoaded(int sample, int status) {
    ClassParameter<Integer> message = ClassParameter.from(int.class, SAMPLE_LOADED);
    ClassParameter<Integer> first = ClassParameter.from(int.class, sample);
    ClassParameter<Integer> second = ClassParameter.from(int.class, status);
    ClassParameter<Object> none = ClassParameter.from(Object.class, null);
    if (self == null) {
      ReflectionHelpers.callInstanceMethod(
          SoundPool.class, pool, "postEventFromNative", message, first, second, none);
    } else {
      ReflectionHelpers.callStaticMethod(
          SoundPool.class,
          "postEventFromNative",
          ClassParameter.from(Object.class, self),
          message,
          first,
          second,
          none);
    }
  }

  @Implementation
  protected boolean unload(int sample) {
    loaded.remove(sample);
    return known.remove(sample);
  }

  @Implementation
  protected int _play(int sample, float left, float right, int priority, int loop, float rate) {
    return loaded.contains(sample) ? ++lastStream : 0;
  }

  @Implementation
  protected int _play(
      int sample, float left, float right, int priority, int loop, float rate, int player) {
    return loaded.contains(sample) ? ++lastStream : 0;
  }

  @Implementation
  protected void pause(int stream) {}

  @Implementation
  protected void resume(int stream) {}

  @Implementation
  protected void autoPause() {}

  @Implementation
  protected void autoResume() {}

  @Implementation
  protected void stop(int stream) {}

  @Implementation
  protected void _setVolume(int stream, float left, float right) {}

  @Implementation
  protected void _mute(boolean muting) {}

  @Implementation
  protected void setPriority(int stream, int priority) {}

  @Implementation
  protected void setLoop(int stream, int loop) {}

  @Implementation
  protected void setRate(int stream, float rate) {}
}
