// What connects the thread of an OpenGL view with its surface. The framework's thread runs as on a
// phone: it calls the app's renderer when there is a surface, and a frame takes its time.
package dev.retap.agent.shadow.opengl;

import dev.retap.agent.shadow.surface.SurfaceFrames;
import javax.microedition.khronos.egl.EGLConfig;
import javax.microedition.khronos.opengles.GL;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.util.ReflectionHelpers;

@Implements(
    className = "android.opengl.GLSurfaceView$EglHelper",
    isInAndroidSdk = false,
    looseSignatures = true)
public class EglHelperShadow {
  /** EGL's word for a call that went well. */
  private static final int SUCCESS = 0x3000;

  @RealObject private Object helper;
  private final SurfaceFrames frames = new SurfaceFrames();

  @Implementation
  protected void start() {
    ReflectionHelpers.setField(helper, "mEglConfig", new EGLConfig() {});
  }

  @Implementation
  protected boolean createSurface() {
    return true;
  }

  @Implementation
  protected GL createGL() {
    return OldGl.create();
  }

  @Implementation
  protected int swap() {
    frames.notePosted();
    frames.awaitNext();
    return SUCCESS;
  }

  @Implementation
  protected void destroySurface() {}

  @Implementation
  protected void finish() {}
}
