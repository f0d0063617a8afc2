// Robolectric's environment with the framework's plain Instrumentation. The test runner's, which it
// replaces, watches and delays lifecycle callbacks for the sake of tests.
package dev.retap.agent.host;

import android.app.Instrumentation;
import javax.inject.Named;
import org.robolectric.android.internal.AndroidTestEnvironment;
import org.robolectric.internal.ShadowProvider;
import org.robolectric.pluginapi.Sdk;
import org.robolectric.pluginapi.TestEnvironmentLifecyclePlugin;

public class AgentTestEnvironment extends AndroidTestEnvironment {
  public AgentTestEnvironment(
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
