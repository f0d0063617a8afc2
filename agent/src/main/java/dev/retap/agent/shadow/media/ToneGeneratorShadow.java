// The native methods of tone generators: a released one refuses, any other is silent.
package dev.retap.agent.shadow.media;

import android.media.ToneGenerator;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;

@Implements(ToneGenerator.class)
public class ToneGeneratorShadow {
  private static final int FIRST_UNKNOWN_TONE = 99;

  private boolean isReleased;
  private int session;

  @Implementation(maxSdk = 30)
  protected void native_setup(int stream, int volume) {
    setUp(volume);
  }

  @Implementation(minSdk = 31)
  protected void native_setup(int stream, int volume, String packageName) {
    setUp(volume);
  }

  private void setUp(int volume) {
    if (volume < ToneGenerator.MIN_VOLUME || volume > ToneGenerator.MAX_VOLUME) {
      throw new RuntimeException("Init failed");
    }
    session = SoundSessions.next();
  }

  private void check() {
    if (isReleased) {
      throw new RuntimeException("Method called after release()");
    }
  }

  @Implementation
  protected boolean startTone(int tone, int millis) {
    check();
    return tone >= 0 && tone < FIRST_UNKNOWN_TONE;
  }

  @Implementation
  protected void stopTone() {
    check();
  }

  @Implementation
  protected void release() {
    isReleased = true;
  }

  @Implementation
  protected void native_finalize() {
    release();
  }

  @Implementation
  protected int getAudioSessionId() {
    check();
    return session;
  }
}
