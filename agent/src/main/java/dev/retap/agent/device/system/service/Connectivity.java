// The phone's connection, as the connectivity manager and the app see it. A new phone is
// offline. The `connectivity` event changes that, though nothing outside can be reached.
package dev.retap.agent.device.system.service;

import android.app.job.JobInfo;
import android.content.Context;
import android.content.Intent;
import android.net.ConnectivityManager;
import android.net.Network;
import android.net.NetworkInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowConnectivityManager;
import org.robolectric.shadows.ShadowNetworkInfo;

public final class Connectivity {
  private final ConnectivityManager manager;
  private final Broadcasts broadcasts;
  private final List<Runnable> listeners = new ArrayList<>();
  private String state = "off";
  private Network lost;

  public Connectivity(Context context, Broadcasts broadcasts) {
    this.manager = (ConnectivityManager) context.getSystemService(Context.CONNECTIVITY_SERVICE);
    this.broadcasts = broadcasts;
    updateManager();
  }

  /** Runs the listener after every change. */
  void onChange(Runnable listener) {
    listeners.add(listener);
  }

  /** Connects or disconnects the phone: off, wifi or mobile. */
  void change(String state) {
    if (!List.of("off", "wifi", "mobile").contains(state)) {
      throw new IllegalArgumentException("connectivity is off, wifi or mobile, not " + state);
    }
    this.state = state;
    updateManager();
    Intent changed =
        new Intent(ConnectivityManager.CONNECTIVITY_ACTION)
            .putExtra(ConnectivityManager.EXTRA_NO_CONNECTIVITY, state.equals("off"));
    if (manager.getActiveNetworkInfo() != null) {
      changed.putExtra(ConnectivityManager.EXTRA_NETWORK_INFO, manager.getActiveNetworkInfo());
    }
    broadcasts.send(changed, true);
    listeners.forEach(Runnable::run);
  }

  /** Returns true if a job that requires this kind of network can run. */
  boolean allows(int networkType) {
    return networkType == JobInfo.NETWORK_TYPE_NONE
        || state.equals("wifi")
        || state.equals("mobile") && networkType != JobInfo.NETWORK_TYPE_UNMETERED;
  }

  private void updateManager() {
    ShadowConnectivityManager shadow = Shadow.extract(manager);
    shadow.setActiveNetworkInfo(null);
    for (int type : new int[] {ConnectivityManager.TYPE_WIFI, ConnectivityManager.TYPE_MOBILE}) {
      boolean on = state.equals(type == ConnectivityManager.TYPE_WIFI ? "wifi" : "mobile");
      NetworkInfo info =
          ShadowNetworkInfo.newInstance(
              on ? NetworkInfo.DetailedState.CONNECTED : NetworkInfo.DetailedState.DISCONNECTED,
              type,
              0,
              true,
              on ? NetworkInfo.State.CONNECTED : NetworkInfo.State.DISCONNECTED);
      shadow.setNetworkInfo(type, info);
      if (on) {
        shadow.setActiveNetworkInfo(info);
      }
    }
    Set<ConnectivityManager.NetworkCallback> callbacks = shadow.getNetworkCallbacks();
    for (ConnectivityManager.NetworkCallback callback : callbacks) {
      if (state.equals("off")) {
        callback.onLost(lost);
      } else {
        callback.onAvailable(manager.getActiveNetwork());
      }
    }
    lost = manager.getActiveNetwork();
  }
}
