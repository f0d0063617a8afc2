// The canvas on which windows and surfaces become one picture. Views show their surfaces on it and
// on no other: an app that draws its views into a bitmap sees no surface, as on a phone.
package dev.retap.agent.shadow.surface;

import android.graphics.Canvas;

public final class SurfaceComposition {
  private static Canvas composed;

  private SurfaceComposition() {}

  public static void draw(Canvas canvas, Runnable drawing) {
    composed = canvas;
    try {
      drawing.run();
    } finally {
      composed = null;
    }
  }

  static boolean isOf(Canvas canvas) {
    return canvas == composed;
  }
}
