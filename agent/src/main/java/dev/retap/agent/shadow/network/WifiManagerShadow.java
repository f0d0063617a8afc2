// The phone's Wi-Fi radio: one for all contexts, on and connected while the phone's network is
// Wi-Fi.
package dev.retap.agent.shadow.network;

import android.net.DhcpInfo;
import android.net.wifi.ScanResult;
import android.net.wifi.SupplicantState;
import android.net.wifi.WifiInfo;
import android.net.wifi.WifiManager;
import java.util.ArrayList;
import java.util.List;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowWifiInfo;
import org.robolectric.shadows.ShadowWifiManager;

@Implements(WifiManager.class)
public class WifiManagerShadow extends ShadowWifiManager {
  /** The addresses of the access point and of the phone, their first bytes last. */
  private static final int ADDRESS = 0x0101a8c0;

  private static final int OWN_ADDRESS = 0x1701a8c0;
  private static final int DNS = ADDRESS;
  private static final int LEASE_SECONDS = 86_400;

  private static volatile boolean isOn;
  private static volatile boolean isConnected;

  /** Connects the radio to its network, or switches it off. */
  public static void connect(boolean connected) {
    isOn = connected;
    isConnected = connected;
  }

  @Override
  @Implementation
  protected boolean setWifiEnabled(boolean enabled) {
    isOn = enabled;
    return true;
  }

  @Override
  @Implementation
  protected boolean isWifiEnabled() {
    return isOn;
  }

  @Override
  @Implementation
  protected int getWifiState() {
    return isOn ? WifiManager.WIFI_STATE_ENABLED : WifiManager.WIFI_STATE_DISABLED;
  }

  @Override
  @Implementation
  protected WifiInfo getConnectionInfo() {
    WifiInfo info = ShadowWifiInfo.newInstance();
    ShadowWifiInfo radio = Shadow.extract(info);
    radio.setMacAddress("02:00:00:00:00:00");
    radio.setSupplicantState(
        isConnected ? SupplicantState.COMPLETED : SupplicantState.DISCONNECTED);
    radio.setNetworkId(isConnected ? 0 : -1);
    radio.setRssi(isConnected ? -50 : -127);
    radio.setLinkSpeed(isConnected ? 65 : -1);
    if (isConnected) {
      radio.setSSID("AndroidWifi");
      radio.setBSSID("02:15:b2:00:01:00");
      radio.setFrequency(2447);
      radio.setInetAddress(PhoneInterfaces.wifiAddress());
    }
    return info;
  }

  @Override
  @Implementation
  protected List<ScanResult> getScanResults() {
    return new ArrayList<>();
  }

  @Override
  @Implementation
  protected DhcpInfo getDhcpInfo() {
    DhcpInfo info = new DhcpInfo();
    if (isConnected) {
      info.gateway = ADDRESS;
      info.serverAddress = ADDRESS;
      info.ipAddress = OWN_ADDRESS;
      info.dns1 = DNS;
      info.leaseDuration = LEASE_SECONDS;
    }
    return info;
  }
}
