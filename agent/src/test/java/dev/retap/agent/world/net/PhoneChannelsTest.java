// Channels and selectors within the phone, as servers such as Netty use them.
package dev.retap.agent.world.net;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import dev.retap.agent.world.TestWorld;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Iterator;
import java.util.List;
import org.junit.After;
import org.junit.Test;

public final class PhoneChannelsTest {
  private static final InetSocketAddress AT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 4_712);

  private final PhoneChannels channels = new PhoneChannels();

  @After
  public void closeAll() {
    Network.closeAll();
  }

  @Test
  public void aSelectorServesAClient() {
    TestWorld world =
        TestWorld.run(
            it -> {
              ServerSocketChannel server = listen();
              Thread client =
                  it.start(
                      thread -> {
                        SocketChannel channel = channels.openSocketChannel();
                        assertTrue(channel.connect(AT));
                        channel.write(bytes("hello"));
                        ByteBuffer answer = ByteBuffer.allocate(10);
                        while (channel.read(answer) >= 0) {
                          continue;
                        }
                        thread.log(text(answer));
                      });
              serveOne(server);
              it.join(client);
            });
    assertEquals(List.of("HELLO"), world.log);
  }

  /** Answers the first client with what it sends, in capitals. */
  private void serveOne(ServerSocketChannel server) throws IOException {
    Selector selector = channels.openSelector();
    server.configureBlocking(false);
    server.register(selector, SelectionKey.OP_ACCEPT);
    boolean isServed = false;
    while (!isServed) {
      selector.select();
      Iterator<SelectionKey> keys = selector.selectedKeys().iterator();
      while (keys.hasNext()) {
        SelectionKey key = keys.next();
        keys.remove();
        if (key.isAcceptable()) {
          SocketChannel accepted = server.accept();
          accepted.configureBlocking(false);
          accepted.register(selector, SelectionKey.OP_READ);
        } else if (key.isReadable()) {
          ByteBuffer asked = ByteBuffer.allocateDirect(10);
          SocketChannel accepted = (SocketChannel) key.channel();
          accepted.read(asked);
          accepted.write(new ByteBuffer[] {bytes(text(asked).toUpperCase(java.util.Locale.ROOT))});
          accepted.close();
          isServed = true;
        }
      }
    }
    selector.close();
    assertThrows(ClosedSelectorException.class, selector::select);
  }

  @Test
  public void anAcceptedChannelIsASocketToo() {
    TestWorld.run(
        it -> {
          ServerSocketChannel server = listen();
          assertTrue(server.socket().isBound());
          assertEquals(AT.getPort(), server.socket().getLocalPort());
          server.configureBlocking(false);
          assertNull(server.accept());
          SocketChannel client = channels.openSocketChannel();
          client.connect(AT);
          SocketChannel accepted = server.accept();
          accepted.configureBlocking(false);
          accepted.socket().setTcpNoDelay(true);
          assertTrue(accepted.socket().getSendBufferSize() > 0);
          assertEquals(InetAddress.getLoopbackAddress(), accepted.socket().getInetAddress());
          assertEquals(client.getLocalAddress(), accepted.getRemoteAddress());
          assertEquals(AT, accepted.getLocalAddress());
          assertFalse(accepted.socket().isClosed());
          accepted.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
          assertTrue(accepted.getOption(StandardSocketOptions.SO_KEEPALIVE));
          assertEquals(0, accepted.read(ByteBuffer.allocate(1)));
          accepted.socket().close();
          assertThrows(ClosedChannelException.class, () -> accepted.read(ByteBuffer.allocate(1)));
          assertEquals(-1, client.read(ByteBuffer.allocate(1)));
        });
  }

  @Test
  public void aWakeUpEndsAWaitAndATimeoutIsVirtual() {
    TestWorld world =
        TestWorld.run(
            it -> {
              Selector selector = channels.openSelector();
              assertEquals(0, selector.select(5_000));
              selector.wakeup();
              assertEquals(0, selector.select());
              Thread waker = it.start(thread -> selector.wakeup());
              assertEquals(0, selector.select());
              it.join(waker);
              assertEquals(0, selector.selectNow());
            });
    assertEquals(5_000_000_000L, world.clock.nanos());
  }

  @Test
  public void aPipeCarriesBytesBetweenThreads() {
    TestWorld.run(
        it -> {
          Pipe pipe = channels.openPipe();
          Thread writer = it.start(thread -> pipe.sink().write(bytes("over")));
          ByteBuffer read = ByteBuffer.allocate(4);
          assertEquals(4, pipe.source().read(read));
          assertEquals("over", text(read));
          it.join(writer);
          pipe.sink().close();
          assertEquals(-1, pipe.source().read(ByteBuffer.allocate(1)));
        });
  }

  @Test
  public void nobodyListensAndNoDatagramsLeave() {
    TestWorld.run(
        it -> {
          SocketChannel channel = channels.openSocketChannel();
          assertThrows(ConnectException.class, () -> channel.connect(AT));
          assertFalse(channel.isOpen());
          assertThrows(SocketException.class, channels::openDatagramChannel);
          InetSocketAddress far = new InetSocketAddress("192.0.2.1", 80);
          SocketChannel other = channels.openSocketChannel();
          assertThrows(ConnectException.class, () -> other.connect(far));
        });
  }

  @Test
  public void theMachineReachesAPortOfThePhone() {
    TestWorld.run(
        it -> {
          assertFalse(OutsideConnections.open(1, AT.getPort()));
          ServerSocketChannel server = listen();
          assertTrue(OutsideConnections.open(2, AT.getPort()));
          byte[] large = new byte[3 * ByteQueue.CAPACITY];
          OutsideConnections.send(new OutsideConnections.Transfer(2, large, true));
          SocketChannel accepted = server.accept();
          long all = 0;
          ByteBuffer buffer = ByteBuffer.allocate(10_000);
          for (int count = 0; count >= 0; count = accepted.read(buffer.clear())) {
            all += count;
            // The rest goes in when the host looks again.
            OutsideConnections.receive();
          }
          assertEquals(large.length, all);
          accepted.write(bytes("answer"));
          assertTrue(OutsideConnections.hasNews());
          OutsideConnections.Transfer answer = OutsideConnections.receive().get(0);
          assertEquals("answer", new String(answer.bytes(), US_ASCII));
          assertFalse(answer.isLast());
          accepted.close();
          assertTrue(OutsideConnections.receive().get(0).isLast());
          assertFalse(OutsideConnections.hasNews());
        });
  }

  private ServerSocketChannel listen() throws IOException {
    return channels.openServerSocketChannel().bind(AT);
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(US_ASCII));
  }

  private static String text(ByteBuffer read) {
    byte[] bytes = new byte[read.flip().remaining()];
    read.get(bytes);
    return new String(bytes, US_ASCII);
  }
}
