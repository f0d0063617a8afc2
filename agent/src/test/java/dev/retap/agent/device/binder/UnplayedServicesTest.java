// Services that nobody plays have a manager, and it lists nothing.
package dev.retap.agent.device.binder;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;

import android.content.Context;
import android.net.INetworkStatsService;
import android.os.ServiceManager;
import com.android.internal.appwidget.IAppWidgetService;
import dev.retap.agent.device.system.packages.UnlockedUser;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.annotation.Config;

@RunWith(RobolectricTestRunner.class)
@Config(sdk = {23, 28, 34})
public class UnplayedServicesTest {
  private final Context context = RuntimeEnvironment.getApplication();

  @Before
  public void publish() {
    UnplayedServices.publishAll();
  }

  @Test
  public void serviceManagersExist() {
    for (String name : new String[] {"print", "telecom", "netstats", "media_projection"}) {
      if (!name.equals("netstats") || RuntimeEnvironment.getApiLevel() > 23) {
        assertNotNull(name, context.getSystemService(name));
      }
    }
  }

  @Test
  public void listsAreEmpty() throws Exception {
    IAppWidgetService widgets =
        IAppWidgetService.Stub.asInterface(ServiceManager.getService("appwidget"));
    assertEquals(0, widgets.getAppWidgetIdsForHost("org.example", 1).length);
    assertNotNull(INetworkStatsService.Stub.asInterface(ServiceManager.getService("netstats")));
  }

  @Test
  public void theUserIsUnlocked() {
    UnlockedUser.install(RuntimeEnvironment.getApiLevel());
    Context fresh = context.createConfigurationContext(context.getResources().getConfiguration());
    Object users = fresh.getSystemService(Context.USER_SERVICE);
    if (RuntimeEnvironment.getApiLevel() >= 24) {
      assertEquals(
          true,
          org.robolectric.util.ReflectionHelpers.callInstanceMethod(
              users,
              "isUserUnlockingOrUnlocked",
              org.robolectric.util.ReflectionHelpers.ClassParameter.from(int.class, 0)));
    }
  }
}
