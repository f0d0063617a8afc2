// Whether and how the phone is connected, told to the connectivity manager and the app. A new phone
// is offline; the `connectivity` event changes that, though nothing outside can be reached.
package dev.retap.agent.device;

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

final class Connectivity {
  private final ConnectivityManager manager;
  private final Broadcasts broadcasts;
  private final List<Runnable> listeners = new ArrayList<>();
  private String state = "off";
  private Network lost;

  Connectivity(Context context, Broadcasts broadcasts) {
    this.manager = (ConnectivityManager) context.getSystemService(Context.CONNECTIVITY_SERVICE);
    this.broadcasts = broadcasts;
    tell();
  }

  void onChange(Runnable listener) {
    listeners.add(listener);
  }

  void change(String state) {
    if (!List.of("off", "wifi", "mobile").contains(state)) {
      throw new IllegalArgumentException("connectivity is off, wifi or mobile, not " + state);
    }
    this.state = state;
    tell();
    Intent changed =
        new Intent(ConnectivityManager.CONNECTIVITY_ACTION)
            .putExtra(ConnectivityManager.EXTRA_NO_CONNECTIVITY, state.equals("off"));
    if (manager.getActiveNetworkInfo() != null) {
      changed.putExtra(ConnectivityManager.EXTRA_NETWORK_INFO, manager.getActiveNetworkInfo());
    }
    broadcasts.send(changed, true);
    listeners.forEach(Runnable::run);
  }

  /** Whether a job that wants this kind of network can run. */
  boolean allows(int networkType) {
    return networkType == JobInfo.NETWORK_TYPE_NONE
        || state.equals("wifi")
        || state.equals("mobile") && networkType != JobInfo.NETWORK_TYPE_UNMETERED;
  }

  private void tell() {
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
