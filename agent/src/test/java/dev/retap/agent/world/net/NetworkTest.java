// A phone without a network, for the app's threads alone.
package dev.retap.agent.world.net;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import dev.retap.agent.world.TestWorld;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Test;

public final class NetworkTest {
  @Test
  public void namesDoNotResolveButAddressesDo() {
    TestWorld.run(
        world -> {
          Exception e =
              assertThrows(UnknownHostException.class, () -> Network.checkResolve("example.org"));
          assertEquals(
              "Unable to resolve host \"example.org\": No address associated with hostname",
              e.getMessage());
          for (String local :
              new String[] {
                "localhost", "", null, "10.0.0.1", "::1", "fe80::1%eth0", "127.0.0.1"
              }) {
            Network.checkResolve(local);
          }
        });
  }

  @Test
  public void onlyThePhoneItselfCanBeReached() {
    TestWorld.run(
        world -> {
          InetAddress other = InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 1});
          Exception e =
              assertThrows(
                  ConnectException.class,
                  () -> Network.checkConnect(new InetSocketAddress(other, 80)));
          assertTrue(e.getMessage().contains("ENETUNREACH"));
          Network.checkConnect(new InetSocketAddress(InetAddress.getLoopbackAddress(), 80));
          assertThrows(
              UnknownHostException.class,
              () -> Network.checkConnect(InetSocketAddress.createUnresolved("example.org", 80)));
          assertThrows(SocketException.class, Network::checkOpen);
        });
  }

  @Test
  public void theHostIsNotChecked() throws Exception {
    Network.checkResolve("example.org");
    Network.checkConnect(InetSocketAddress.createUnresolved("example.org", 80));
    Network.checkOpen();
  }

  @Test
  public void theGuardIsAskedBeforeTheAppWaits() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    Network.setGuard(asked::incrementAndGet);
    try {
      TestWorld.run(
          world -> {
            Network.checkResolve("10.0.0.1");
            assertEquals("an address needs no lookup", 0, asked.get());
            Network.checkResolve("localhost");
            Network.checkConnect(new InetSocketAddress(InetAddress.getLoopbackAddress(), 80));
            assertEquals(2, asked.get());
          });
      Network.checkConnect(new InetSocketAddress(InetAddress.getLoopbackAddress(), 80));
      assertEquals("the host is not guarded", 2, asked.get());
    } finally {
      Network.setGuard(() -> {});
    }
  }

  @Test
  public void whatTheAppLeavesOpenIsClosedOnce() {
    AtomicInteger closed = new AtomicInteger();
    TestWorld.run(world -> Network.trackOpen(closed::incrementAndGet));
    Network.trackOpen(closed::incrementAndGet);
    Network.closeAll();
    Network.closeAll();
    assertEquals("the host's own stays open", 1, closed.get());
  }
}
