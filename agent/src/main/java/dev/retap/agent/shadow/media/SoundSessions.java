// The numbers of sound sessions, which no two players of a process share.
package dev.retap.agent.shadow.media;

import android.media.AudioManager;
import org.robolectric.RuntimeEnvironment;

final class SoundSessions {
  private SoundSessions() {}

  static int next() {
    return RuntimeEnvironment.getApplication()
        .getSystemService(AudioManager.class)
        .generateAudioSessionId();
  }
}
