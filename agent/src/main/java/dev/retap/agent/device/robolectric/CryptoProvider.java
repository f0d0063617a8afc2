// The provider of cryptography that Robolectric adds to each Android. Making it loads some hundred
// classes by name, so one serves all processes, unless an app has changed it.
package dev.retap.agent.device.robolectric;

import java.security.Provider;
import java.security.Security;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

final class CryptoProvider {
  private static final String NAME = "BC";

  private Provider provider;

  /** The keys and values of the provider when it was made. */
  private List<Object> offers;

  /** Adds the provider before Robolectric looks for it. */
  void offer() {
    if (provider != null && isUnchanged() && Security.getProvider(NAME) == null) {
      Security.addProvider(provider);
    }
  }

  /** Keeps the provider that Robolectric has added. */
  void keep() {
    Provider added = Security.getProvider(NAME);
    if (added != provider) {
      provider = added;
      offers = new ArrayList<>();
      if (added != null) {
        added.forEach((key, value) -> offers.addAll(List.of(key, value)));
      }
    }
  }

  /** Compares by identity and in order, which takes a fraction of what comparing maps takes. */
  private boolean isUnchanged() {
    Iterator<Object> offered = offers.iterator();
    for (Map.Entry<Object, Object> entry : provider.entrySet()) {
      if (!offered.hasNext()
          || entry.getKey() != offered.next()
          || entry.getValue() != offered.next()) {
        return false;
      }
    }
    return !offered.hasNext();
  }
}
