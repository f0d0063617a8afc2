// The phone's network interfaces as java.net shows them to the app: the loopback, and the one that
// connects it. The JVM would ask the machine, which this process may not.
package dev.retap.agent.shadow.network;

import android.os.Build;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.stream.Stream;

public final class PhoneInterfaces {
  private static final byte[] WIFI_ADDRESS = {(byte) 192, (byte) 168, 1, 23};
  private static final byte[] MOBILE_ADDRESS = {10, 20, 30, 23};
  private static final byte[] LOOPBACK_ADDRESS = {127, 0, 0, 1};
  private static final byte[] HARDWARE_ADDRESS = {2, 0, 0, 0, 0, 0};
  private static final int LOOPBACK_PREFIX = 8;
  private static final int LOOPBACK_UNIT = 65_536;
  private static final int UNIT = 1_500;

  /** The length of a local network's prefix. */
  public static final int PREFIX = 24;

  private static final NetworkInterface LOOPBACK =
      create("lo", 1, LOOPBACK_ADDRESS, LOOPBACK_PREFIX);
  private static final NetworkInterface WIFI = create("wlan0", 2, WIFI_ADDRESS, PREFIX);
  private static final NetworkInterface MOBILE = create("rmnet0", 3, MOBILE_ADDRESS, PREFIX);

  private static volatile List<NetworkInterface> all = List.of(LOOPBACK);

  private PhoneInterfaces() {}

  public static void disconnect() {
    all = List.of(LOOPBACK);
  }

  /** Connects the phone by Wi-Fi or else by its mobile network. Returns the interface. */
  public static NetworkInterface connect(boolean isWifi) {
    NetworkInterface by = isWifi ? WIFI : MOBILE;
    all = List.of(LOOPBACK, by);
    return by;
  }

  /** Returns the phone's address in its Wi-Fi network. */
  static InetAddress wifiAddress() {
    return address(WIFI_ADDRESS);
  }

  /** Returns the address of the machine that leads from the interface's network to others. */
  public static InetAddress gateway(NetworkInterface of) {
    byte[] bytes = of.getInetAddresses().nextElement().getAddress();
    bytes[bytes.length - 1] = 1;
    return address(bytes);
  }

  // ---- what the app calls instead of the methods of NetworkInterface

  public static Enumeration<NetworkInterface> getNetworkInterfaces() {
    return Collections.enumeration(all);
  }

  public static Stream<NetworkInterface> networkInterfaces() {
    return all.stream();
  }

  public static NetworkInterface getByName(String name) {
    if (name == null) {
      throw new NullPointerException();
    }
    return first(all.stream().filter(one -> one.getName().equals(name)));
  }

  public static NetworkInterface getByIndex(int index) {
    if (index < 0) {
      throw new IllegalArgumentException("Interface index can't be negative");
    }
    return first(all.stream().filter(one -> one.getIndex() == index));
  }

  public static NetworkInterface getByInetAddress(InetAddress address) {
    if (address == null) {
      throw new NullPointerException();
    }
    return first(all.stream().filter(one -> one.inetAddresses().anyMatch(address::equals)));
  }

  public static boolean isUp(NetworkInterface of) {
    return all.contains(of);
  }

  public static boolean isLoopback(NetworkInterface of) {
    return of.equals(LOOPBACK);
  }

  public static boolean isPointToPoint(NetworkInterface of) {
    return false;
  }

  public static boolean supportsMulticast(NetworkInterface of) {
    return of.equals(WIFI);
  }

  /** Returns the address of the hardware, which newer phones keep from apps. */
  public static byte[] getHardwareAddress(NetworkInterface of) {
    return of.equals(WIFI) && Build.VERSION.SDK_INT < Build.VERSION_CODES.R
        ? HARDWARE_ADDRESS.clone()
        : null;
  }

  public static int getMTU(NetworkInterface of) {
    return of.equals(LOOPBACK) ? LOOPBACK_UNIT : UNIT;
  }

  private static NetworkInterface first(Stream<NetworkInterface> found) {
    return found.findFirst().orElse(null);
  }

  private static InetAddress address(byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("four bytes are an address", e);
    }
  }

  private static NetworkInterface create(String name, int index, byte[] address, int prefix) {
    try {
      InetAddress[] addresses = {address(address)};
      Constructor<NetworkInterface> constructor =
          NetworkInterface.class.getDeclaredConstructor(
              String.class, int.class, InetAddress[].class);
      constructor.setAccessible(true);
      NetworkInterface made = constructor.newInstance(name, index, addresses);
      set(made, "displayName", name);
      set(made, "bindings", new InterfaceAddress[] {binding(addresses[0], prefix)});
      return made;
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("this JDK's NetworkInterface is another", e);
    }
  }

  private static InterfaceAddress binding(InetAddress address, int prefix)
      throws ReflectiveOperationException {
    Constructor<InterfaceAddress> constructor = InterfaceAddress.class.getDeclaredConstructor();
    constructor.setAccessible(true);
    InterfaceAddress made = constructor.newInstance();
    set(made, "address", address);
    set(made, "maskLength", (short) prefix);
    return made;
  }

  private static void set(Object object, String name, Object value)
      throws ReflectiveOperationException {
    Field field = object.getClass().getDeclaredField(name);
    field.setAccessible(true);
    field.set(object, value);
  }
}
