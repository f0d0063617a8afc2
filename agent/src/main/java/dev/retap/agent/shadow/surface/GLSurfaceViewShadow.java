// A surface view of OpenGL gets its surface like any other, but its thread does not: it would draw
// with OpenGL, which nobody plays. The renderer is never called.
package dev.retap.agent.shadow.surface;

import android.opengl.GLSurfaceView;
import android.view.SurfaceHolder;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;

@Implements(GLSurfaceView.class)
public class GLSurfaceViewShadow extends SurfaceViewShadow {
  @Implementation
  protected void surfaceCreated(SurfaceHolder holder) {}

  @Implementation
  protected void surfaceChanged(SurfaceHolder holder, int format, int width, int height) {}

  @Implementation
  protected void surfaceDestroyed(SurfaceHolder holder) {}

  @Implementation
  protected void surfaceRedrawNeededAsync(SurfaceHolder holder, Runnable drawn) {
    drawn.run();
  }
}
