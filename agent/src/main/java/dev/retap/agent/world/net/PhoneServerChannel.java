// A channel that listens on a port of the phone.
package dev.retap.agent.world.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;

final class PhoneServerChannel extends ServerSocketChannel implements SelectableSource {
  private static final int DEFAULT_BACKLOG = 50;

  private final PhoneSocket socket = new PhoneSocket();
  private final ChannelOptions options = new ChannelOptions();
  private ChannelServerSocket view;
  private InetAddress boundTo;

  PhoneServerChannel(SelectorProvider provider) {
    super(provider);
    Network.trackOpen(socket::close);
  }

  @Override
  public int readyOperations() {
    return socket.hasPending() ? SelectionKey.OP_ACCEPT : 0;
  }

  @Override
  public ServerSocketChannel bind(SocketAddress local, int backlog) throws IOException {
    throwIfClosed();
    if (boundTo != null) {
      throw new AlreadyBoundException();
    }
    InetSocketAddress at =
        local == null ? new InetSocketAddress(0) : PhoneSocketChannel.checked(local);
    socket.bind(at.getAddress(), at.getPort());
    socket.listen(backlog < 1 ? DEFAULT_BACKLOG : backlog);
    boundTo = at.getAddress();
    return this;
  }

  @Override
  public SocketChannel accept() throws IOException {
    throwIfClosed();
    if (boundTo == null) {
      throw new NotYetBoundException();
    }
    PhoneSocket accepted = isBlocking() ? socket.acceptNext() : socket.acceptNow();
    return accepted == null ? null : new PhoneSocketChannel(provider(), accepted);
  }

  @Override
  public ServerSocket socket() {
    if (view == null) {
      view = new ChannelServerSocket(this, socket);
    }
    return view;
  }

  boolean isBound() {
    return boundTo != null;
  }

  @Override
  public SocketAddress getLocalAddress() throws IOException {
    throwIfClosed();
    return boundTo == null ? null : new InetSocketAddress(boundTo, socket.ownPort());
  }

  @Override
  public <T> ServerSocketChannel setOption(SocketOption<T> option, T value) throws IOException {
    throwIfClosed();
    options.set(option, value);
    return this;
  }

  @Override
  public <T> T getOption(SocketOption<T> option) throws IOException {
    throwIfClosed();
    return options.get(option);
  }

  @Override
  public Set<SocketOption<?>> supportedOptions() {
    return ChannelOptions.SUPPORTED;
  }

  @Override
  protected void implCloseSelectableChannel() throws IOException {
    socket.close();
  }

  @Override
  protected void implConfigureBlocking(boolean isBlocking) {}

  private void throwIfClosed() throws ClosedChannelException {
    if (!isOpen()) {
      throw new ClosedChannelException();
    }
  }
}
