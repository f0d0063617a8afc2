// Robolectric's environment with the plain framework Instrumentation in place of the test runner's,
// which watches and delays lifecycle callbacks for the sake of tests.
package dev.retap.agent;

import android.app.Instrumentation;
import javax.inject.Named;
import org.robolectric.android.internal.AndroidTestEnvironment;
import org.robolectric.internal.ShadowProvider;
import org.robolectric.pluginapi.Sdk;
import org.robolectric.pluginapi.TestEnvironmentLifecyclePlugin;

public class Boot extends AndroidTestEnvironment {
  public Boot(
      @Named("runtimeSdk") Sdk runtimeSdk,
      @Named("compileSdk") Sdk compileSdk,
      ShadowProvider[] shadowProviders,
      TestEnvironmentLifecyclePlugin[] lifecyclePlugins) {
    super(runtimeSdk, compileSdk, shadowProviders, lifecyclePlugins);
  }

  @Override
  protected Instrumentation pickInstrumentation() {
    return new Instrumentation() {
      @Override
      public void runOnMainSync(Runnable task) {
        task.run();
      }
    };
  }
}
