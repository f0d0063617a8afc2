package dev.retap.agent.coverage;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;

import dev.retap.agent.wire.Packet;
import org.junit.Before;
import org.junit.Test;

public class ProbesTest {
  private static final Probes.Collector PROBES = Probes.collector();

  @Before
  public void countThreeClasses() {
    PROBES.count(new int[] {2, 0, 300});
  }

  @Test
  public void setProbesAreSentOnceAndCleared() {
    Probes.of(0)[1] = true;
    Probes.of(2)[0] = true;
    Probes.of(2)[299] = true;
    // Class 1: probe 2. Class 1+2: probe 1, and 299 later, which takes two bytes.
    assertSent(1, 2, 0, 2, 1, 0xab, 0x02, 0, 0);
    assertSent(0);
    Probes.of(0)[0] = true;
    assertSent(1, 1, 0, 0);
  }

  @Test
  public void anAppThatRestartsHasNewProbes() {
    boolean[] before = Probes.of(0);
    assertSame(before, Probes.of(0));
    Probes.forget();
    before[0] = true;
    assertNotSame(before, Probes.of(0));
    assertSent(0);
  }

  @Test
  public void clearedAndUncountedProbesAreNotSent() {
    Probes.of(2)[7] = true;
    PROBES.clear();
    Probes.uncounted(2)[7] = true;
    assertEquals(300, Probes.uncounted(2).length);
    assertSent(0);
  }

  @Test
  public void nobodyCollectsOnceTheAppMayRun() {
    Probes.forget();
    assertThrows(IllegalStateException.class, Probes::collector);
  }

  private static void assertSent(int... expected) {
    Packet out = new Packet();
    PROBES.drain(out);
    byte[] body = out.body();
    int[] sent = new int[body.length];
    for (int i = 0; i < body.length; i++) {
      sent[i] = body[i] & 0xff;
    }
    assertArrayEquals(expected, sent);
  }
}
