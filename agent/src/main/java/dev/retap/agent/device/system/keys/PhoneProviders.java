// The security providers that a phone has and the JDK lacks. There is one of each in a JVM, because
// the JDK remembers every provider that it has checked.
package dev.retap.agent.device.system.keys;

import java.io.File;
import java.security.Security;

public final class PhoneProviders {
  private static final AndroidOpenSsl OPEN_SSL = new AndroidOpenSsl();
  private static final AndroidKeyStore KEY_STORE = new AndroidKeyStore();

  private PhoneProviders() {}

  /** Adds the providers for a new process of the app, whose keys lie in this file. */
  public static void install(File keys) {
    KEY_STORE.open(keys);
    Security.insertProviderAt(OPEN_SSL, 1);
    Security.addProvider(KEY_STORE);
  }
}
