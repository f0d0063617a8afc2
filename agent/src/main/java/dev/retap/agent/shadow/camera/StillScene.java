// What the cameras see: a scene that stands still, brighter towards the right and the bottom.
package dev.retap.agent.shadow.camera;

import android.graphics.ImageFormat;
import android.graphics.Rect;
import android.graphics.YuvImage;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;

final class StillScene {
  private static final byte GREY = (byte) 128;
  private static final int DARKEST = 48;
  private static final int RANGE = 80;

  private StillScene() {}

  /** Returns a frame of brightness by pixel, then colour by four pixels (NV21, or YV12). */
  static byte[] frame(int width, int height) {
    byte[] frame = new byte[frameBytes(width, height)];
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        frame[y * width + x] = (byte) (DARKEST + RANGE * x / width + RANGE * y / height);
      }
    }
    Arrays.fill(frame, width * height, frame.length, GREY);
    return frame;
  }

  static int frameBytes(int width, int height) {
    return width * height + 2 * ((width + 1) / 2) * ((height + 1) / 2);
  }

  static byte[] jpeg(int width, int height, int quality) {
    ByteArrayOutputStream jpeg = new ByteArrayOutputStream();
    new YuvImage(frame(width, height), ImageFormat.NV21, width, height, null)
        .compressToJpeg(new Rect(0, 0, width, height), quality, jpeg);
    return jpeg.toByteArray();
  }
}
