package dev.retap.agent.world.net;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;

import java.net.BindException;
import org.junit.Test;

public final class PortTableTest {
  private final PhoneSocket first = new PhoneSocket();
  private final PhoneSocket second = new PhoneSocket();

  @Test
  public void aPortHasOneHolderUntilThatReleasesIt() throws Exception {
    assertEquals(80, PortTable.bind(80, first));
    assertThrows(BindException.class, () -> PortTable.bind(80, second));
    PortTable.release(80, second);
    assertSame("only the holder frees a port", first, PortTable.holder(80));
    PortTable.release(80, first);
    assertNull(PortTable.holder(80));
  }

  @Test
  public void portZeroGivesTheLowestFreePortOfAPhone() throws Exception {
    assertEquals(32_768, PortTable.bind(0, first));
    assertEquals(32_769, PortTable.bind(0, second));
    PortTable.release(32_768, first);
    assertEquals(32_768, PortTable.bind(0, first));
    PortTable.release(32_768, first);
    PortTable.release(32_769, second);
  }

  @Test
  public void portsBeyondTheLastAreRefused() {
    assertThrows(BindException.class, () -> PortTable.bind(65_536, first));
  }
}
