// The shadows of this package.
package dev.retap.agent.shadow.media;

import java.util.List;

public final class MediaShadows {
  private MediaShadows() {}

  public static List<Class<?>> all() {
    return List.of(
        AudioRecordShadow.class,
        AudioTrackShadow.class,
        MediaMetadataRetrieverShadow.class,
        MediaPlayerShadow.class,
        MediaRecorderShadow.class,
        SoundPoolShadow.class,
        ToneGeneratorShadow.class);
  }
}
