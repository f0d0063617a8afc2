// Which members of the JDK an app can open by reflection.
package dev.retap.agent.world.jdk;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import dev.retap.agent.world.TestWorld;
import org.junit.Test;

public final class OpenMembersTest {
  @Test
  public void anAppOpensWhatAPhoneHas() throws Exception {
    Class<?> sockets = Class.forName("sun.security.ssl.SSLSocketFactoryImpl", false, null);
    TestWorld.run(
        world -> {
          assertTrue(OpenMembers.areOpen(java.util.Locale.class));
          assertTrue(OpenMembers.areOpen(sockets));
        });
  }

  @Test
  public void whatTheAgentReliesOnStaysClosed() throws Exception {
    Class<?> dispatcher = Class.forName("sun.nio.ch.FileDispatcherImpl", false, null);
    TestWorld.run(world -> assertFalse(OpenMembers.areOpen(dispatcher)));
  }

  @Test
  public void theHostGetsTheJdksAnswer() {
    assertFalse(OpenMembers.areOpen(java.util.Locale.class));
  }
}
