// The phone's connection, as the connectivity manager, the Wi-Fi manager and the app see it. A new
// phone is offline. The `connectivity` event changes that, though nothing outside can be reached.
package dev.retap.agent.device.system.service;

import android.app.job.JobInfo;
import android.content.Context;
import android.content.Intent;
import android.net.ConnectivityManager;
import android.net.LinkAddress;
import android.net.LinkProperties;
import android.net.Network;
import android.net.NetworkCapabilities;
import android.net.NetworkInfo;
import android.net.NetworkInfo.DetailedState;
import android.net.wifi.WifiManager;
import android.telephony.TelephonyManager;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.shadow.network.ConnectivityManagerShadow;
import dev.retap.agent.shadow.network.PhoneInterfaces;
import dev.retap.agent.shadow.network.WifiManagerShadow;
import java.net.NetworkInterface;
import java.util.ArrayList;
import java.util.List;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowNetworkCapabilities;

public final class Connectivity {
  private static final int[] TYPES = {
    ConnectivityManager.TYPE_MOBILE, ConnectivityManager.TYPE_WIFI
  };

  /** What every network here can do, apart from being free of charge. */
  private static final int[] CAPABILITIES = {
    NetworkCapabilities.NET_CAPABILITY_INTERNET,
    NetworkCapabilities.NET_CAPABILITY_NOT_RESTRICTED,
    NetworkCapabilities.NET_CAPABILITY_NOT_VPN,
    NetworkCapabilities.NET_CAPABILITY_TRUSTED,
    NetworkCapabilities.NET_CAPABILITY_VALIDATED
  };

  private final ConnectivityManager manager;
  private final Broadcasts broadcasts;
  private final List<Runnable> listeners = new ArrayList<>();
  private String state = "off";

  public Connectivity(Context context, Broadcasts broadcasts) {
    this.manager = (ConnectivityManager) context.getSystemService(Context.CONNECTIVITY_SERVICE);
    this.broadcasts = broadcasts;
    ConnectivityManagerShadow.forgetProcess();
    updateManager();
    broadcasts.keep(changed(ConnectivityManager.TYPE_MOBILE));
    broadcasts.keep(wifiState());
  }

  /** Runs the listener after every change. */
  public void onChange(Runnable listener) {
    listeners.add(listener);
  }

  /** Connects or disconnects the phone: off, wifi or mobile. */
  void change(String state) {
    if (!List.of("off", "wifi", "mobile").contains(state)) {
      throw new IllegalArgumentException("connectivity is off, wifi or mobile, not " + state);
    }
    String before = this.state;
    this.state = state;
    updateManager();
    Shadow.<ConnectivityManagerShadow>extract(manager).networkChanged();
    if (before.equals("wifi") != state.equals("wifi")) {
      broadcasts.send(wifiState(), true);
    }
    broadcasts.send(changed(typeOf(state.equals("off") ? before : state)), true);
    listeners.forEach(Runnable::run);
  }

  /** Returns true if a job that requires this kind of network can run. */
  public boolean allows(int networkType) {
    return networkType == JobInfo.NETWORK_TYPE_NONE
        || state.equals("wifi")
        || state.equals("mobile") && networkType != JobInfo.NETWORK_TYPE_UNMETERED;
  }

  private Intent changed(int type) {
    Intent changed =
        new Intent(ConnectivityManager.CONNECTIVITY_ACTION)
            .putExtra(ConnectivityManager.EXTRA_NETWORK_TYPE, type)
            .putExtra(ConnectivityManager.EXTRA_NETWORK_INFO, manager.getNetworkInfo(type));
    return state.equals("off")
        ? changed.putExtra(ConnectivityManager.EXTRA_NO_CONNECTIVITY, true)
        : changed;
  }

  private Intent wifiState() {
    boolean on = state.equals("wifi");
    return new Intent(WifiManager.WIFI_STATE_CHANGED_ACTION)
        .putExtra(
            WifiManager.EXTRA_WIFI_STATE,
            on ? WifiManager.WIFI_STATE_ENABLED : WifiManager.WIFI_STATE_DISABLED)
        .putExtra(
            WifiManager.EXTRA_PREVIOUS_WIFI_STATE,
            on ? WifiManager.WIFI_STATE_ENABLING : WifiManager.WIFI_STATE_DISABLING);
  }

  private static int typeOf(String state) {
    return state.equals("wifi") ? ConnectivityManager.TYPE_WIFI : ConnectivityManager.TYPE_MOBILE;
  }

  private void updateManager() {
    ConnectivityManagerShadow shadow = Shadow.extract(manager);
    shadow.setActiveNetworkInfo(null);
    for (int type : TYPES) {
      shadow.setNetworkInfo(type, info(type, !state.equals("off") && typeOf(state) == type));
    }
    WifiManagerShadow.connect(state.equals("wifi"));
    if (!state.equals("off")) {
      int type = typeOf(state);
      shadow.setActiveNetworkInfo(manager.getNetworkInfo(type));
      Network active = manager.getActiveNetwork();
      shadow.setNetworkCapabilities(active, capabilities(type));
      shadow.setLinkProperties(active, link(PhoneInterfaces.connect(state.equals("wifi"))));
    } else {
      PhoneInterfaces.disconnect();
    }
  }

  private static LinkProperties link(NetworkInterface by) {
    LinkProperties link = (LinkProperties) FrameworkCalls.construct(LinkProperties.class);
    link.setInterfaceName(by.getName());
    link.addLinkAddress(
        new LinkAddress(by.getInetAddresses().nextElement(), PhoneInterfaces.PREFIX));
    link.addDnsServer(PhoneInterfaces.gateway(by));
    return link;
  }

  /** Returns the state of one kind of network. */
  private static NetworkInfo info(int type, boolean isOn) {
    boolean isWifi = type == ConnectivityManager.TYPE_WIFI;
    int subtype = isWifi ? 0 : TelephonyManager.NETWORK_TYPE_LTE;
    NetworkInfo info =
        (NetworkInfo)
            FrameworkCalls.construct(
                NetworkInfo.class, type, subtype, isWifi ? "WIFI" : "MOBILE", isWifi ? "" : "LTE");
    DetailedState state = isOn ? DetailedState.CONNECTED : DetailedState.DISCONNECTED;
    FrameworkCalls.call(info, "setDetailedState", state);
    FrameworkCalls.call(info, "setIsAvailable", true);
    return info;
  }

  private static NetworkCapabilities capabilities(int type) {
    boolean isWifi = type == ConnectivityManager.TYPE_WIFI;
    NetworkCapabilities capabilities = ShadowNetworkCapabilities.newInstance();
    FrameworkCalls.call(
        capabilities,
        "addTransportType",
        isWifi ? NetworkCapabilities.TRANSPORT_WIFI : NetworkCapabilities.TRANSPORT_CELLULAR);
    for (int capability : CAPABILITIES) {
      FrameworkCalls.call(capabilities, "addCapability", capability);
    }
    FrameworkCalls.call(
        capabilities,
        isWifi ? "addCapability" : "removeCapability",
        NetworkCapabilities.NET_CAPABILITY_NOT_METERED);
    return capabilities;
  }
}
