// A channel over a socket of the phone.
package dev.retap.agent.world.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NoConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;
import java.util.Set;

final class PhoneSocketChannel extends SocketChannel implements SelectableSource {
  private final PhoneSocket socket;
  private final ChannelOptions options = new ChannelOptions();
  private ChannelSocket view;
  private boolean isBound;
  private boolean isInputShut;

  PhoneSocketChannel(SelectorProvider provider, PhoneSocket socket) {
    super(provider);
    this.socket = socket;
    isBound = socket.isConnected();
  }

  @Override
  public int readyOperations() {
    if (!socket.isConnected()) {
      return isOpen() ? 0 : SelectionKey.OP_CONNECT;
    }
    return (isInputShut || socket.in().isReadable() ? SelectionKey.OP_READ : 0)
        | (socket.out().isWritable() ? SelectionKey.OP_WRITE : 0);
  }

  @Override
  public SocketChannel bind(SocketAddress local) throws IOException {
    throwIfClosed();
    InetSocketAddress at = local == null ? new InetSocketAddress(0) : checked(local);
    socket.bind(at.getAddress(), at.getPort());
    isBound = true;
    return this;
  }

  @Override
  public boolean connect(SocketAddress remote) throws IOException {
    throwIfClosed();
    if (socket.isConnected()) {
      throw new AlreadyConnectedException();
    }
    InetSocketAddress to = checked(remote);
    try {
      Network.checkConnect(to);
      socket.connect(to, 0);
    } catch (IOException e) {
      close();
      throw e;
    }
    isBound = true;
    return true;
  }

  /** Returns true: connections within the phone take no time. */
  @Override
  public boolean finishConnect() throws IOException {
    throwIfClosed();
    if (!socket.isConnected()) {
      throw new NoConnectionPendingException();
    }
    return true;
  }

  @Override
  public boolean isConnected() {
    return socket.isConnected();
  }

  @Override
  public boolean isConnectionPending() {
    return false;
  }

  @Override
  public int read(ByteBuffer to) throws IOException {
    return isAtEnd(to.remaining()) ? -1 : socket.in().take(to);
  }

  @Override
  public long read(ByteBuffer[] to, int first, int count) throws IOException {
    Objects.checkFromIndexSize(first, count, to.length);
    return isAtEnd(1) ? -1 : socket.in().take(to, first, count);
  }

  /** Waits for bytes if the channel waits; returns true if no more are wanted. */
  private boolean isAtEnd(int wanted) throws IOException {
    throwIfUnconnected();
    if (isBlocking() && !isInputShut && wanted > 0) {
      socket.in().awaitReadable(socket.deadline());
      if (!isOpen()) {
        throw new AsynchronousCloseException();
      }
    }
    return isInputShut;
  }

  @Override
  public int write(ByteBuffer from) throws IOException {
    throwIfUnconnected();
    return socket.out().put(from, isBlocking());
  }

  @Override
  public long write(ByteBuffer[] from, int first, int count) throws IOException {
    Objects.checkFromIndexSize(first, count, from.length);
    throwIfUnconnected();
    return socket.out().put(from, first, count, isBlocking());
  }

  @Override
  public SocketChannel shutdownInput() throws IOException {
    throwIfUnconnected();
    isInputShut = true;
    PhoneSelector.tellAll();
    return this;
  }

  @Override
  public SocketChannel shutdownOutput() throws IOException {
    throwIfUnconnected();
    socket.shutdownOutput();
    return this;
  }

  @Override
  public Socket socket() {
    if (view == null) {
      try {
        view = new ChannelSocket(this, socket);
      } catch (SocketException e) {
        throw new IllegalStateException(e);
      }
    }
    return view;
  }

  boolean isBound() {
    return isBound;
  }

  @Override
  public SocketAddress getRemoteAddress() throws IOException {
    throwIfClosed();
    return socket.isConnected() ? socket.remote() : null;
  }

  @Override
  public SocketAddress getLocalAddress() throws IOException {
    throwIfClosed();
    return isBound
        ? new InetSocketAddress(InetAddress.getLoopbackAddress(), socket.ownPort())
        : null;
  }

  @Override
  public <T> SocketChannel setOption(SocketOption<T> option, T value) throws IOException {
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

  private void throwIfUnconnected() throws ClosedChannelException {
    throwIfClosed();
    if (!socket.isConnected()) {
      throw new NotYetConnectedException();
    }
  }

  static InetSocketAddress checked(SocketAddress address) {
    if (!(address instanceof InetSocketAddress inet)) {
      throw new UnsupportedAddressTypeException();
    }
    if (inet.isUnresolved()) {
      throw new UnresolvedAddressException();
    }
    return inet;
  }
}
