// How samples lie in memory: how many bytes a moment of sound takes.
package dev.retap.agent.shadow.media;

import android.media.AudioFormat;

/** A frame is one sample of each channel. */
record SoundFormat(int rate, int frameBytes) {
  private static final int ENCODING_PCM_24BIT = 21;
  private static final int ENCODING_PCM_32BIT = 22;

  /** The part of a second that the smallest buffer of a phone holds. */
  private static final int SMALLEST_BUFFERS_A_SECOND = 25;

  static SoundFormat of(int rate, int channelMask, int channelIndexMask, int encoding) {
    int channels = Math.max(1, Integer.bitCount(channelMask | channelIndexMask));
    return new SoundFormat(Math.max(1, rate), channels * sampleBytes(encoding));
  }

  static int sampleBytes(int encoding) {
    return switch (encoding) {
      case AudioFormat.ENCODING_PCM_16BIT, AudioFormat.ENCODING_DEFAULT -> 2;
      case ENCODING_PCM_24BIT -> 3;
      case AudioFormat.ENCODING_PCM_FLOAT, ENCODING_PCM_32BIT -> 4;
      default -> 1;
    };
  }

  static int smallestBuffer(int rate, int channels, int encoding) {
    return rate / SMALLEST_BUFFERS_A_SECOND * channels * sampleBytes(encoding);
  }

  long frames(long millis) {
    return millis * rate / 1_000;
  }

  /** Returns the time that so many bytes take, rounded up. */
  long millis(long bytes) {
    return (bytes / frameBytes * 1_000 + rate - 1) / rate;
  }
}
