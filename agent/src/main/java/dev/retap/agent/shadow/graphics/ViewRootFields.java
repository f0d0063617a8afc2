// The internals of a view root that its drawing reads and writes.
package dev.retap.agent.shadow.graphics;

import android.graphics.Rect;
import android.view.Choreographer;
import android.view.ViewRootImpl;
import java.util.ArrayList;
import org.robolectric.util.reflector.Accessor;
import org.robolectric.util.reflector.Direct;
import org.robolectric.util.reflector.ForType;
import org.robolectric.util.reflector.WithType;

@ForType(ViewRootImpl.class)
interface ViewRootFields {
  @Accessor("mAttachInfo")
  Object getAttachInfo();

  @Accessor("mDirty")
  Rect getDirty();

  @Accessor("mWidth")
  int getWidth();

  @Accessor("mHeight")
  int getHeight();

  @Accessor("mChoreographer")
  Choreographer getChoreographer();

  /** Set for a window that the app draws by itself. */
  @Accessor("mSurfaceHolder")
  Object getSurfaceHolder();

  @Accessor("mIsAnimating")
  boolean getAnimating();

  @Accessor("mIsAnimating")
  void setAnimating(boolean animating);

  @Accessor("mTraversalScheduled")
  boolean getTraversalScheduled();

  @Accessor("mLayoutRequested")
  boolean getLayoutRequested();

  @Accessor("mStopped")
  boolean getStopped();

  /** From API 30 on. */
  @Accessor("mSurfaceChangedCallbacks")
  ArrayList<?> getSurfaceChangedCallbacks();

  @Direct
  void setWindowStopped(boolean stopped);

  void scheduleTraversals();

  void unscheduleTraversals();

  /** A surface view below the window. */
  @ForType(className = "android.view.ViewRootImpl$SurfaceChangedCallback")
  interface SurfaceCallback {
    void surfaceCreated(@WithType("android.view.SurfaceControl$Transaction") Object transaction);

    void surfaceDestroyed();
  }
}
