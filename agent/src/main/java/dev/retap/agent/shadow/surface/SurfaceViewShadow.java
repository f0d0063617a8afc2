// Gives surface views their surface, as the window manager and the compositor of a phone do. The
// framework decides when (before the first drawing, when the view or its window is shown,
// hidden, stopped or resized) and calls updateSurface, most of which talks to the compositor; only
// that method is replaced. Callbacks come in the framework's order: destroyed, created, changed,
// redraw needed.
package dev.retap.agent.shadow.surface;

import static org.robolectric.util.reflector.Reflector.reflector;

import android.graphics.Canvas;
import android.graphics.Color;
import android.view.Surface;
import android.view.SurfaceHolder;
import android.view.SurfaceView;
import com.android.internal.view.SurfaceCallbackHelper;
import java.util.ArrayList;
import java.util.List;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowView;
import org.robolectric.util.ReflectionHelpers;

@Implements(SurfaceView.class)
public class SurfaceViewShadow extends ShadowView {
  /** A view without a picture of its own: only its children are drawn. */
  private static final int SKIP_DRAW = 0x80;

  @RealObject private SurfaceView view;
  private final SurfaceBuffer buffer = new SurfaceBuffer();

  @Implementation
  protected void updateSurface() {
    SurfaceViewMembers members = reflector(SurfaceViewMembers.class, view);
    if (members.getHaveFrame()) {
      new SurfaceChange(members).carryOut();
    }
  }

  @Implementation
  protected void draw(Canvas canvas) {
    compose(canvas, false, () -> reflector(SurfaceViewMembers.class, view).draw(canvas));
  }

  @Implementation
  protected void dispatchDraw(Canvas canvas) {
    compose(canvas, true, () -> reflector(SurfaceViewMembers.class, view).dispatchDraw(canvas));
  }

  /** Draws the surface below the view on a screenshot; elsewhere the framework cuts a hole. */
  private void compose(Canvas canvas, boolean skipped, Runnable drawing) {
    SurfaceViewMembers members = reflector(SurfaceViewMembers.class, view);
    boolean isShown = members.getSurfaceCreated() && members.getDrawFinished();
    if (!isShown || !SurfaceComposition.isOf(canvas)) {
      drawing.run();
      return;
    }
    if (skipped == ((members.getPrivateFlags() & SKIP_DRAW) != 0)) {
      int saved = canvas.save();
      canvas.clipRect(0, 0, view.getWidth(), view.getHeight());
      canvas.drawColor(Color.BLACK);
      buffer.draw(canvas, view.getWidth(), view.getHeight());
      canvas.restoreToCount(saved);
    }
    members.setDrawFinished(false);
    drawing.run();
    members.setDrawFinished(true);
  }

  /**
   * What differs between the surface and what the view asks for, and the way from one to the other.
   */
  private final class SurfaceChange {
    private final SurfaceViewMembers members;
    private final SurfaceHolder holder = view.getHolder();
    private final Surface surface = holder.getSurface();
    private final boolean isVisible;
    private final boolean isVisibleChanged;
    private final boolean isCreating;
    private final boolean isResized;
    private final int width;
    private final int height;

    SurfaceChange(SurfaceViewMembers members) {
      this.members = members;
      isVisible = members.getRequestedVisible();
      isVisibleChanged = isVisible != members.getVisible();
      boolean isReformatted = members.getFormat() != members.getRequestedFormat();
      boolean isMissing = control() == null;
      isCreating = isVisible && (isMissing || isReformatted || isVisibleChanged);
      int asked = members.getRequestedWidth();
      width = asked > 0 ? asked : view.getWidth();
      asked = members.getRequestedHeight();
      height = asked > 0 ? asked : view.getHeight();
      isResized = width != members.getSurfaceWidth() || height != members.getSurfaceHeight();
    }

    void carryOut() {
      if (!isCreating && !isResized && !isVisibleChanged) {
        return;
      }
      members.setVisible(isVisible);
      members.setSurfaceWidth(width);
      members.setSurfaceHeight(height);
      members.setFormat(members.getRequestedFormat());
      if (isCreating) {
        setControl(newControl());
        members.setDrawFinished(false);
      } else if (control() == null) {
        return;
      }
      prepareBuffer();
      try {
        tell();
      } finally {
        members.setIsCreating(false);
        if (!members.getSurfaceCreated()) {
          surface.release();
          setControl(null);
        }
      }
    }

    /** Waits for a thread that draws: it may keep the surface until it has posted. */
    private void prepareBuffer() {
      members.getSurfaceLock().lock();
      try {
        members.setDrawingStopped(!isVisible);
        members.getSurfaceFrame().set(0, 0, width, height);
        buffer.resize(width, height);
      } finally {
        members.getSurfaceLock().unlock();
      }
    }

    private void tell() {
      if (members.getSurfaceCreated() && (isCreating || (!isVisible && isVisibleChanged))) {
        members.setSurfaceCreated(false);
        callbacks().forEach(callback -> callback.surfaceDestroyed(holder));
      }
      if (isCreating) {
        SurfaceShadow.of(surface).attach(buffer, members.getSurfaceLock());
      }
      if (!isVisible) {
        return;
      }
      if (!members.getSurfaceCreated()) {
        members.setSurfaceCreated(true);
        members.setIsCreating(true);
        callbacks().forEach(callback -> callback.surfaceCreated(holder));
      }
      callbacks()
          .forEach(callback -> callback.surfaceChanged(holder, members.getFormat(), width, height));
      if (!members.getDrawFinished()) {
        Runnable drawn = () -> members.setDrawFinished(true);
        SurfaceHolder.Callback[] all = callbacks().toArray(new SurfaceHolder.Callback[0]);
        new SurfaceCallbackHelper(drawn).dispatchSurfaceRedrawNeededAsync(holder, all);
      }
    }

    private List<SurfaceHolder.Callback> callbacks() {
      List<SurfaceHolder.Callback> callbacks = members.getCallbacks();
      synchronized (callbacks) {
        return new ArrayList<>(callbacks);
      }
    }

    private Object control() {
      return ReflectionHelpers.getField(view, "mSurfaceControl");
    }

    private void setControl(Object control) {
      ReflectionHelpers.setField(view, "mSurfaceControl", control);
    }

    /** Only its presence counts, and that it has not been released. */
    private Object newControl() {
      try {
        Class<?> type = SurfaceView.class.getDeclaredField("mSurfaceControl").getType();
        Object control = Shadow.newInstanceOf(type);
        ReflectionHelpers.setField(control, "mNativeObject", 1L);
        return control;
      } catch (NoSuchFieldException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
