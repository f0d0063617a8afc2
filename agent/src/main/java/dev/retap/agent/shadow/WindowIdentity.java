// The identity of a window, which the window manager gives to its views. Transitions compare it.
package dev.retap.agent.shadow;

import android.os.IBinder;
import android.view.IWindowFocusObserver;
import android.view.IWindowId;
import android.view.View;
import android.view.WindowManagerGlobal;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.robolectric.util.ReflectionHelpers;

final class WindowIdentity extends IWindowId.Stub {
  private static final Map<IBinder, WindowIdentity> KNOWN = new WeakHashMap<>();

  private final WeakReference<IBinder> token;

  private WindowIdentity(IBinder token) {
    this.token = new WeakReference<>(token);
  }

  /** Returns the identity of the window with the token, the same whenever it is asked for. */
  static synchronized WindowIdentity of(IBinder token) {
    return KNOWN.computeIfAbsent(token, WindowIdentity::new);
  }

  @Override
  public void registerFocusObserver(IWindowFocusObserver observer) {}

  @Override
  public void unregisterFocusObserver(IWindowFocusObserver observer) {}

  @Override
  public boolean isFocused() {
    List<View> views = ReflectionHelpers.getField(WindowManagerGlobal.getInstance(), "mViews");
    return views.stream()
        .anyMatch(view -> view.hasWindowFocus() && view.getWindowToken() == token.get());
  }
}
