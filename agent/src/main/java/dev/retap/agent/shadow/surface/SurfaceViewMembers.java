// The internals of a surface view that its surface reads and writes.
package dev.retap.agent.shadow.surface;

import android.graphics.Canvas;
import android.graphics.Rect;
import android.view.SurfaceHolder;
import android.view.SurfaceView;
import java.util.ArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.robolectric.util.reflector.Accessor;
import org.robolectric.util.reflector.Direct;
import org.robolectric.util.reflector.ForType;

@ForType(SurfaceView.class)
interface SurfaceViewMembers {
  @Direct
  void draw(Canvas canvas);

  @Direct
  void dispatchDraw(Canvas canvas);

  @Accessor("mCallbacks")
  ArrayList<SurfaceHolder.Callback> getCallbacks();

  @Accessor("mSurfaceLock")
  ReentrantLock getSurfaceLock();

  @Accessor("mSurfaceFrame")
  Rect getSurfaceFrame();

  @Accessor("mHaveFrame")
  boolean getHaveFrame();

  @Accessor("mRequestedVisible")
  boolean getRequestedVisible();

  @Accessor("mRequestedFormat")
  int getRequestedFormat();

  @Accessor("mRequestedWidth")
  int getRequestedWidth();

  @Accessor("mRequestedHeight")
  int getRequestedHeight();

  @Accessor("mVisible")
  boolean getVisible();

  @Accessor("mVisible")
  void setVisible(boolean visible);

  @Accessor("mFormat")
  int getFormat();

  @Accessor("mFormat")
  void setFormat(int format);

  @Accessor("mSurfaceWidth")
  int getSurfaceWidth();

  @Accessor("mSurfaceWidth")
  void setSurfaceWidth(int width);

  @Accessor("mSurfaceHeight")
  int getSurfaceHeight();

  @Accessor("mSurfaceHeight")
  void setSurfaceHeight(int height);

  @Accessor("mSurfaceCreated")
  boolean getSurfaceCreated();

  @Accessor("mSurfaceCreated")
  void setSurfaceCreated(boolean created);

  @Accessor("mIsCreating")
  void setIsCreating(boolean creating);

  @Accessor("mDrawingStopped")
  void setDrawingStopped(boolean stopped);

  @Accessor("mDrawFinished")
  boolean getDrawFinished();

  @Accessor("mDrawFinished")
  void setDrawFinished(boolean finished);

  @Accessor("mPrivateFlags")
  int getPrivateFlags();
}
