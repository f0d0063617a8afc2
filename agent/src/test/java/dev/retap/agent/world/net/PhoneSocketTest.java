// Connections within the phone, in virtual time and without a socket of the machine.
package dev.retap.agent.world.net;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import dev.retap.agent.world.TestWorld;
import dev.retap.agent.world.World;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketOptions;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.After;
import org.junit.Test;

public final class PhoneSocketTest {
  private static final int PORT = 4_711;

  @After
  public void closeSockets() {
    Network.closeAll();
  }

  @Test
  public void bytesArriveInTheOrderInWhichTheyWereWritten() {
    TestWorld.run(
        world -> {
          Pair pair = connect(world);
          pair.client.getOutputStream().write(new byte[] {1, 2});
          pair.client.getOutputStream().write(-1);
          assertEquals(3, pair.server.available());
          assertArrayEquals(new byte[] {1, 2, -1}, pair.server.getInputStream().readNBytes(3));
          pair.server.getOutputStream().write(9);
          assertEquals(9, pair.client.getInputStream().read());
        });
  }

  @Test
  public void readingNothingDoesNotBlock() {
    TestWorld.run(
        world -> assertEquals(0, connect(world).server.getInputStream().read(new byte[0])));
  }

  @Test
  public void aReaderWaitsForAWriter() {
    TestWorld world =
        TestWorld.run(
            it -> {
              Pair pair = connect(it);
              Thread reader =
                  it.start(thread -> thread.log("read " + pair.server.getInputStream().read()));
              World.runOthers(false);
              it.log("writes");
              pair.client.getOutputStream().write(5);
              it.join(reader);
            });
    assertEquals(List.of("writes", "read 5"), world.log);
  }

  @Test
  public void aWriterWaitsWhileTheQueueIsFull() {
    byte[] sent = new byte[3 * ByteQueue.CAPACITY + 17];
    for (int i = 0; i < sent.length; i++) {
      sent[i] = (byte) (i * 31 >>> 3);
    }
    TestWorld world =
        TestWorld.run(
            it -> {
              Pair pair = connect(it);
              Thread writer =
                  it.start(
                      thread -> {
                        pair.client.getOutputStream().write(sent);
                        thread.log("written");
                      });
              World.runOthers(false);
              assertEquals(ByteQueue.CAPACITY, pair.server.available());
              assertEquals(List.of(), it.log);
              assertArrayEquals(sent, pair.server.getInputStream().readNBytes(sent.length));
              it.join(writer);
            });
    assertEquals(List.of("written"), world.log);
  }

  @Test
  public void aClosedConnectionEndsAfterTheBytesThatWereSent() {
    TestWorld.run(
        world -> {
          Pair pair = connect(world);
          pair.client.getOutputStream().write(7);
          pair.client.close();
          InputStream in = pair.server.getInputStream();
          assertEquals(7, in.read());
          assertEquals(-1, in.read());
          OutputStream out = pair.server.getOutputStream();
          assertThrows(SocketException.class, () -> out.write(1));
        });
  }

  @Test
  public void aClosedConnectionWakesItsReader() {
    TestWorld world =
        TestWorld.run(
            it -> {
              Pair pair = connect(it);
              Thread reader =
                  it.start(thread -> thread.log("" + pair.server.getInputStream().read()));
              World.runOthers(false);
              pair.client.shutdownOutput();
              it.join(reader);
            });
    assertEquals(List.of("-1"), world.log);
  }

  @Test
  public void aReadTimesOutInVirtualTime() {
    TestWorld.run(
        world -> {
          Pair pair = connect(world);
          pair.server.setOption(SocketOptions.SO_TIMEOUT, 700);
          InputStream in = pair.server.getInputStream();
          assertThrows(SocketTimeoutException.class, in::read);
          assertEquals(700, world.clock.millis());
        });
  }

  @Test
  public void anAcceptTimesOutInVirtualTime() {
    TestWorld.run(
        world -> {
          PhoneSocket listener = listen(5);
          listener.setOption(SocketOptions.SO_TIMEOUT, 300);
          assertThrows(SocketTimeoutException.class, () -> listener.accept(new PhoneSocket()));
          assertEquals(300, world.clock.millis());
          listener.close();
        });
  }

  @Test
  public void closingAListenerWakesTheThreadThatAccepts() {
    TestWorld world =
        TestWorld.run(
            it -> {
              PhoneSocket listener = listen(5);
              Thread server =
                  it.start(
                      thread -> {
                        assertThrows(
                            SocketException.class, () -> listener.accept(new PhoneSocket()));
                        thread.log("closed");
                      });
              World.runOthers(false);
              listener.close();
              it.join(server);
            });
    assertEquals(List.of("closed"), world.log);
  }

  @Test
  public void aConnectionIsRefusedWithoutAListenerOrBeyondItsBacklog() {
    TestWorld.run(
        world -> {
          assertThrows(ConnectException.class, () -> newSocket().connect(address(), 0));
          PhoneSocket listener = listen(1);
          newSocket().connect(address(), 0);
          assertThrows(ConnectException.class, () -> newSocket().connect(address(), 0));
        });
  }

  @Test
  public void aHostThatDoesNotResolveIsUnknown() {
    assertThrows(
        UnknownHostException.class,
        () ->
            new PhoneSocket().connect(InetSocketAddress.createUnresolved("example.org", PORT), 0));
  }

  @Test
  public void aSocketThatIsNotConnectedHasNoStreams() {
    PhoneSocket socket = new PhoneSocket();
    assertThrows(SocketException.class, socket::getInputStream);
    assertThrows(SocketException.class, socket::getOutputStream);
    assertThrows(SocketException.class, socket::available);
  }

  @Test
  public void datagramsAreNotPermitted() {
    IOException e = assertThrows(SocketException.class, () -> new PhoneSocket().create(false));
    assertTrue(e.getMessage().contains("EPERM"));
  }

  @Test
  public void aNewSocketHasTheOptionsOfLinux() {
    PhoneSocket socket = new PhoneSocket();
    assertEquals(0, socket.getOption(SocketOptions.SO_TIMEOUT));
    assertEquals(-1, socket.getOption(SocketOptions.SO_LINGER));
    assertEquals(ByteQueue.CAPACITY, socket.getOption(SocketOptions.SO_RCVBUF));
    assertEquals(false, socket.getOption(SocketOptions.TCP_NODELAY));
    socket.setOption(SocketOptions.TCP_NODELAY, true);
    assertEquals(true, socket.getOption(SocketOptions.TCP_NODELAY));
  }

  private record Pair(PhoneSocket client, PhoneSocket server) {}

  private static Pair connect(TestWorld world) throws IOException {
    PhoneSocket listener = listen(5);
    PhoneSocket client = newSocket();
    client.connect(address(), 0);
    PhoneSocket server = newSocket();
    listener.accept(server);
    listener.close();
    return new Pair(client, server);
  }

  private static PhoneSocket newSocket() throws IOException {
    PhoneSocket socket = new PhoneSocket();
    socket.create(true);
    return socket;
  }

  private static PhoneSocket listen(int backlog) throws IOException {
    PhoneSocket listener = newSocket();
    listener.bind(InetAddress.getLoopbackAddress(), PORT);
    listener.listen(backlog);
    return listener;
  }

  private static InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), PORT);
  }
}
