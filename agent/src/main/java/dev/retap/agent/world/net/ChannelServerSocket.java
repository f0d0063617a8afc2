// A listening channel seen as a server's socket.
package dev.retap.agent.world.net;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

final class ChannelServerSocket extends ServerSocket {
  private final PhoneServerChannel channel;

  ChannelServerSocket(PhoneServerChannel channel, PhoneSocket socket) {
    super(socket);
    this.channel = channel;
  }

  @Override
  public ServerSocketChannel getChannel() {
    return channel;
  }

  @Override
  public void bind(SocketAddress local, int backlog) throws IOException {
    channel.bind(local, backlog);
  }

  @Override
  public Socket accept() throws IOException {
    SocketChannel accepted = channel.accept();
    if (accepted == null) {
      throw new IllegalBlockingModeException();
    }
    return accepted.socket();
  }

  @Override
  public boolean isBound() {
    return channel.isBound();
  }

  @Override
  public boolean isClosed() {
    return channel != null && !channel.isOpen();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
