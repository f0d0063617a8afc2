// Robolectric's test environment, which carries one Android after another without a test.
package dev.retap.agent.device.robolectric;

import java.nio.file.Path;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.internal.TestEnvironment;
import org.robolectric.manifest.AndroidManifest;
import org.robolectric.nativeruntime.DefaultNativeRuntimeLoader;

public final class RobolectricEnvironment {
  private final TestEnvironment environment;
  private final CryptoProvider crypto = new CryptoProvider();
  private boolean isSetUp;

  /**
   * @param environment a TestEnvironment; an Object, because the caller's class loader has another
   *     class of that name
   */
  public RobolectricEnvironment(Object environment) {
    this.environment = (TestEnvironment) environment;
  }

  /** Forgets the Android that was set up last. */
  public void reset() {
    if (isSetUp) {
      environment.resetState();
      EndedLoopers.forget();
      RuntimeEnvironment.getTempDirectory().destroy();
    }
  }

  /** Sets up a new Android that knows of the APK but runs nothing of it. */
  public void setUp(String qualifiers, Path apk) {
    AndroidManifest manifest = new AndroidManifest(null, null, null, null, "", apk);
    crypto.offer();
    environment.setUpApplicationState("retap", new RobolectricModes(qualifiers), manifest);
    crypto.keep();
    // Now, because loading it later would look for its files through the app's class loader.
    DefaultNativeRuntimeLoader.injectAndLoad();
    isSetUp = true;
  }
}
