// The surfaces that a camera writes to: those of readers get pictures or frames, the others are
// drawn on.
package dev.retap.agent.shadow.camera;

import android.graphics.Bitmap;
import android.graphics.Canvas;
import android.graphics.ImageFormat;
import android.graphics.Rect;
import android.media.ImageReader;
import android.util.Size;
import android.view.Surface;
import dev.retap.agent.shadow.surface.SurfaceSizes;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;

public final class CameraTargets {
  private static final int SCENE_WIDTH = 64;
  private static final int SCENE_HEIGHT = 48;

  /** The readers by their surfaces. */
  private static final Map<Surface, ImageReader> READERS =
      Collections.synchronizedMap(new WeakHashMap<>());

  private CameraTargets() {}

  static void note(Surface surface, ImageReader reader) {
    READERS.put(surface, reader);
  }

  static Size size(Surface surface) {
    ImageReader reader = READERS.get(surface);
    return reader == null
        ? SurfaceSizes.of(surface)
        : new Size(reader.getWidth(), reader.getHeight());
  }

  /** Returns the format of a reader, or 0 for a surface that is shown. */
  static int format(Surface surface) {
    ImageReader reader = READERS.get(surface);
    return reader == null ? 0 : reader.getImageFormat();
  }

  /**
   * Returns true if a reader of this format takes pictures of the camera, and nothing that is
   * drawn.
   */
  static boolean isOfCamera(int format) {
    return format == ImageFormat.JPEG || format == ImageFormat.YUV_420_888;
  }

  /** Lets one frame of the scene arrive at the surface. */
  public static void expose(Surface surface, int quality, long nanos) {
    ImageReader reader = READERS.get(surface);
    if (reader == null) {
      show(surface);
      return;
    }
    int width = reader.getWidth();
    int height = reader.getHeight();
    switch (reader.getImageFormat()) {
      case ImageFormat.JPEG ->
          ImageReaderShadow.deliver(
              reader,
              new ImageReaderShadow.Frame(
                  nanos,
                  new ImageReaderShadow.Plane(StillScene.jpeg(width, height, quality), 0, 0)));
      case ImageFormat.YUV_420_888 ->
          ImageReaderShadow.deliver(reader, planes(width, height, nanos));
      default -> {
        // No other format is listed as one of this camera.
      }
    }
  }

  private static ImageReaderShadow.Frame planes(int width, int height, long nanos) {
    byte[] scene = StillScene.frame(width, height);
    int half = (width + 1) / 2;
    int colours = half * ((height + 1) / 2);
    byte[] brightness = new byte[width * height];
    System.arraycopy(scene, 0, brightness, 0, brightness.length);
    byte[] colour = new byte[colours];
    System.arraycopy(scene, brightness.length, colour, 0, colours);
    return new ImageReaderShadow.Frame(
        nanos,
        new ImageReaderShadow.Plane(brightness, width, 1),
        new ImageReaderShadow.Plane(colour, half, 1),
        new ImageReaderShadow.Plane(colour, half, 1));
  }

  /** Draws the scene, as long as somebody shows the surface. */
  private static void show(Surface surface) {
    if (!surface.isValid()) {
      return;
    }
    Canvas canvas = surface.lockCanvas(null);
    canvas.drawBitmap(scene(), null, new Rect(0, 0, canvas.getWidth(), canvas.getHeight()), null);
    surface.unlockCanvasAndPost(canvas);
  }

  private static Bitmap scene() {
    byte[] frame = StillScene.frame(SCENE_WIDTH, SCENE_HEIGHT);
    int[] pixels = new int[SCENE_WIDTH * SCENE_HEIGHT];
    for (int i = 0; i < pixels.length; i++) {
      pixels[i] = 0xFF000000 | (frame[i] & 0xFF) * 0x010101;
    }
    return Bitmap.createBitmap(pixels, SCENE_WIDTH, SCENE_HEIGHT, Bitmap.Config.ARGB_8888);
  }

  static ByteBuffer buffer(byte[] content) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(content.length);
    buffer.put(content);
    buffer.rewind();
    return buffer;
  }
}
