// Channels and selectors of the phone, instead of the machine's. The JVM makes one of these by the
// name of its class when the first channel is opened.
package dev.retap.agent.world.net;

import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.nio.channels.Channel;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;

public final class PhoneChannels extends SelectorProvider {
  private static final String PROPERTY = "java.nio.channels.spi.SelectorProvider";
  private static final String MACHINE = "sun.nio.ch.DefaultSelectorProvider";

  /** Makes every channel of this process a channel of the phone. */
  public static void install() {
    System.setProperty(PROPERTY, PhoneChannels.class.getName());
    SelectorProvider.provider();
    // An app sees what a phone's properties are.
    System.clearProperty(PROPERTY);
  }

  @Override
  public AbstractSelector openSelector() {
    return new PhoneSelector(this);
  }

  @Override
  public SocketChannel openSocketChannel() {
    PhoneSocket socket = new PhoneSocket();
    Network.trackOpen(socket::close);
    return new PhoneSocketChannel(this, socket);
  }

  @Override
  public ServerSocketChannel openServerSocketChannel() {
    return new PhoneServerChannel(this);
  }

  @Override
  public SocketChannel openSocketChannel(ProtocolFamily family) throws IOException {
    checkFamily(family);
    return openSocketChannel();
  }

  @Override
  public ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException {
    checkFamily(family);
    return openServerSocketChannel();
  }

  /** Returns the channel to the host. The app finds none: the JDK's own code refuses it. */
  @Override
  public Channel inheritedChannel() throws IOException {
    try {
      Object machine = Class.forName(MACHINE).getMethod("get").invoke(null);
      return ((SelectorProvider) machine).inheritedChannel();
    } catch (ReflectiveOperationException e) {
      throw new IOException(e);
    }
  }

  @Override
  public Pipe openPipe() {
    return new PhonePipe(this);
  }

  @Override
  public DatagramChannel openDatagramChannel() throws IOException {
    throw refusal();
  }

  @Override
  public DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
    throw refusal();
  }

  private static void checkFamily(ProtocolFamily family) throws SocketException {
    if (family != StandardProtocolFamily.INET && family != StandardProtocolFamily.INET6) {
      throw refusal();
    }
  }

  private static SocketException refusal() {
    return new SocketException("socket failed: EPERM (Operation not permitted)");
  }
}
