// A channel seen as a socket.
package dev.retap.agent.world.net;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.channels.SocketChannel;

final class ChannelSocket extends Socket {
  private final PhoneSocketChannel channel;

  ChannelSocket(PhoneSocketChannel channel, PhoneSocket socket) throws SocketException {
    super(socket);
    this.channel = channel;
  }

  @Override
  public SocketChannel getChannel() {
    return channel;
  }

  @Override
  public void bind(SocketAddress local) throws IOException {
    channel.bind(local);
  }

  @Override
  public void connect(SocketAddress remote, int timeoutMillis) throws IOException {
    channel.connect(remote);
  }

  @Override
  public boolean isBound() {
    return channel.isBound();
  }

  @Override
  public boolean isConnected() {
    return channel.isConnected();
  }

  @Override
  public boolean isClosed() {
    // The parent's constructor asks before there is a channel.
    return channel != null && !channel.isOpen();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  @Override
  public void shutdownInput() throws IOException {
    channel.shutdownInput();
  }

  @Override
  public void shutdownOutput() throws IOException {
    channel.shutdownOutput();
  }
}
