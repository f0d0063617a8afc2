// The provider of cryptography that Robolectric adds to each Android. Making it loads some hundred
// classes by name, so one serves all processes, unless an app has changed it.
package dev.retap.agent.device.robolectric;

import java.security.Provider;
import java.security.Security;
import java.util.Map;

final class CryptoProvider {
  private static final String NAME = "BC";

  private Provider provider;

  /** What the provider offered when it was made. */
  private Map<Object, Object> offers;

  /** Adds the provider before Robolectric looks for it. */
  void offer() {
    if (provider != null && provider.equals(offers) && Security.getProvider(NAME) == null) {
      Security.addProvider(provider);
    }
  }

  /** Keeps the provider that Robolectric has added. */
  void keep() {
    Provider added = Security.getProvider(NAME);
    if (added != provider) {
      provider = added;
      offers = added == null ? null : Map.copyOf(added);
    }
  }
}
