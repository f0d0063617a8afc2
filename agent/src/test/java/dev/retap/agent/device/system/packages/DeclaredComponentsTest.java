// Intents are resolved against the app's declared components.
package dev.retap.agent.device.system.packages;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.content.pm.ActivityInfo;
import android.content.pm.ApplicationInfo;
import android.net.Uri;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.annotation.Config;
import org.robolectric.shadows.ShadowPackageManager;

@RunWith(RobolectricTestRunner.class)
@Config(sdk = 30)
public class DeclaredComponentsTest {
  private final Context context = RuntimeEnvironment.getApplication();
  private final ShadowPackageManager packages = shadowOf(context.getPackageManager());
  private final DeclaredComponents components = new DeclaredComponents(context);
  private final ComponentName main = new ComponentName(context.getPackageName(), "app.Main");

  @Before
  public void declareAnActivity() throws Exception {
    packages.addActivityIfNotPresent(main);
    IntentFilter filter = new IntentFilter(Intent.ACTION_VIEW);
    filter.addCategory(Intent.CATEGORY_DEFAULT);
    filter.addDataScheme("note");
    packages.addIntentFilterForActivity(main, filter);
  }

  @Test
  public void aNamedActivityIsFound() {
    assertEquals("app.Main", components.activity(new Intent().setComponent(main)).name);
  }

  @Test
  public void aNameThatNobodyDeclaredIsNotFound() {
    Intent gone = new Intent().setClassName(context.getPackageName(), "app.Gone");
    assertNull(components.activity(gone));
  }

  @Test
  public void activitiesOfOtherAppsAreNotTheApps() {
    ComponentName other = new ComponentName("org.other", "org.other.Main");
    packages.addActivityIfNotPresent(other);
    assertNull(components.activity(new Intent().setComponent(other)));
  }

  @Test
  public void anImplicitIntentIsResolvedByItsFilter() {
    Intent note = new Intent(Intent.ACTION_VIEW, Uri.parse("note:1"));
    Intent web = new Intent(Intent.ACTION_VIEW, Uri.parse("http://example.org"));
    assertEquals("app.Main", components.activity(note).name);
    assertNull(components.activity(web));
  }

  @Test
  public void aSelectorIsResolvedInPlaceOfItsIntent() {
    Intent intent = new Intent("unknown");
    intent.setSelector(new Intent(Intent.ACTION_VIEW, Uri.parse("note:1")));
    assertEquals("app.Main", components.activity(intent).name);
  }

  @Test
  public void theLauncherStartsTheLauncherActivityInANewTask() throws Exception {
    assertNull(components.launcher());
    IntentFilter filter = new IntentFilter(Intent.ACTION_MAIN);
    filter.addCategory(Intent.CATEGORY_LAUNCHER);
    packages.addIntentFilterForActivity(main, filter);
    Intent launcher = components.launcher();
    assertEquals(main, launcher.getComponent());
    assertTrue(DeclaredComponents.isLauncher(launcher));
    assertTrue((launcher.getFlags() & Intent.FLAG_ACTIVITY_NEW_TASK) != 0);
  }

  @Test
  public void onlyMainWithTheCategoryIsALauncherIntent() {
    assertFalse(DeclaredComponents.isLauncher(new Intent(Intent.ACTION_MAIN)));
    assertFalse(DeclaredComponents.isLauncher(new Intent().addCategory(Intent.CATEGORY_LAUNCHER)));
  }

  @Test
  public void oldActivitiesHandleChangesOfTheSizeWithoutNamingThem() {
    ActivityInfo info = new ActivityInfo();
    info.applicationInfo = new ApplicationInfo();
    info.applicationInfo.targetSdkVersion = 12;
    int size = ActivityInfo.CONFIG_SCREEN_SIZE;
    assertEquals(size, DeclaredComponents.handledChanges(info) & size);
    info.applicationInfo.targetSdkVersion = 13;
    assertEquals(0, DeclaredComponents.handledChanges(info));
  }
}
