// Tells an app's network callbacks what a phone tells them: the network that is there when they
// register, and each change after that. They run on the handler they name, else on a thread of
// their own.
package dev.retap.agent.shadow.network;

import android.net.ConnectivityManager;
import android.net.ConnectivityManager.NetworkCallback;
import android.net.Network;
import android.net.NetworkCapabilities;
import android.net.NetworkRequest;
import android.os.Handler;
import android.os.HandlerThread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowConnectivityManager;
import org.robolectric.util.ReflectionHelpers;

@Implements(ConnectivityManager.class)
public class ConnectivityManagerShadow extends ShadowConnectivityManager {
  private static final int[] TRANSPORTS = {
    NetworkCapabilities.TRANSPORT_CELLULAR, NetworkCapabilities.TRANSPORT_WIFI
  };

  private static final class Registration {
    final NetworkCallback callback;
    final NetworkCapabilities wanted;
    final Handler handler;
    Network told;

    Registration(NetworkCallback callback, NetworkCapabilities wanted, Handler handler) {
      this.callback = callback;
      this.wanted = wanted;
      this.handler = handler;
    }
  }

  private static final Map<NetworkCallback, Registration> REGISTRATIONS = new LinkedHashMap<>();
  private static HandlerThread thread;

  /** Forgets the callbacks of an ended process. */
  public static synchronized void forgetProcess() {
    REGISTRATIONS.clear();
    thread = null;
  }

  /** Tells all callbacks about the network that is there now. */
  public void networkChanged() {
    List<Registration> all;
    synchronized (ConnectivityManagerShadow.class) {
      all = new ArrayList<>(REGISTRATIONS.values());
    }
    all.forEach(this::tell);
  }

  @Override
  @Implementation
  protected void registerNetworkCallback(NetworkRequest request, NetworkCallback callback) {
    register(request, callback, null);
  }

  @Override
  @Implementation(minSdk = 26)
  protected void registerNetworkCallback(
      NetworkRequest request, NetworkCallback callback, Handler handler) {
    register(request, callback, handler);
  }

  @Override
  @Implementation(minSdk = 24)
  protected void registerDefaultNetworkCallback(NetworkCallback callback) {
    register(null, callback, null);
  }

  @Override
  @Implementation(minSdk = 26)
  protected void registerDefaultNetworkCallback(NetworkCallback callback, Handler handler) {
    register(null, callback, handler);
  }

  @Override
  @Implementation
  protected void unregisterNetworkCallback(NetworkCallback callback) {
    super.unregisterNetworkCallback(callback);
    synchronized (ConnectivityManagerShadow.class) {
      REGISTRATIONS.remove(callback);
    }
  }

  private void register(NetworkRequest request, NetworkCallback callback, Handler handler) {
    if (callback == null) {
      throw new IllegalArgumentException("null NetworkCallback");
    }
    NetworkCapabilities wanted =
        request == null ? null : ReflectionHelpers.getField(request, "networkCapabilities");
    Registration registration =
        new Registration(callback, wanted, handler == null ? ownThread() : handler);
    synchronized (ConnectivityManagerShadow.class) {
      REGISTRATIONS.put(callback, registration);
    }
    tell(registration);
  }

  private static synchronized Handler ownThread() {
    if (thread == null) {
      thread = new HandlerThread("ConnectivityThread");
      thread.start();
    }
    return new Handler(thread.getLooper());
  }

  private void tell(Registration to) {
    Network active = getActiveNetwork();
    NetworkCapabilities capabilities = active == null ? null : getNetworkCapabilities(active);
    Network now = capabilities != null && fits(to.wanted, capabilities) ? active : null;
    Network before = to.told;
    to.told = now;
    to.handler.post(
        () -> {
          if (before != null && !before.equals(now) && isRegistered(to)) {
            to.callback.onLost(before);
          }
          if (now != null && !now.equals(before) && isRegistered(to)) {
            to.callback.onAvailable(now);
            to.callback.onCapabilitiesChanged(now, capabilities);
            to.callback.onLinkPropertiesChanged(now, getLinkProperties(now));
          }
        });
  }

  private static synchronized boolean isRegistered(Registration registration) {
    return REGISTRATIONS.get(registration.callback) == registration;
  }

  private static boolean fits(NetworkCapabilities wanted, NetworkCapabilities offered) {
    boolean isChoosy = false;
    for (int transport : TRANSPORTS) {
      if (wanted != null && wanted.hasTransport(transport)) {
        isChoosy = true;
        if (offered.hasTransport(transport)) {
          return true;
        }
      }
    }
    return !isChoosy;
  }
}
