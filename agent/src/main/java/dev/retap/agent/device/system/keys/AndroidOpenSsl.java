// The provider AndroidOpenSSL, by the name that apps ask for. The JDK's own classes do the work.
package dev.retap.agent.device.system.keys;

import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.Security;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

final class AndroidOpenSsl extends Provider {
  private static final String NAME = "AndroidOpenSSL";
  private static final long serialVersionUID = 1;

  private static final List<String> WORKERS = List.of("SUN", "SunRsaSign", "SunEC", "SunJCE");

  private static final Set<String> TYPES =
      Set.of(
          "AlgorithmParameters",
          "Cipher",
          "KeyAgreement",
          "KeyFactory",
          "KeyGenerator",
          "KeyPairGenerator",
          "Mac",
          "MessageDigest",
          "Signature");

  /** Attributes by which the JDK decides whether a service can do what is asked for. */
  private static final List<String> ATTRIBUTES =
      List.of("SupportedModes", "SupportedPaddings", "SupportedKeyClasses", "SupportedKeyFormats");

  AndroidOpenSsl() {
    super(NAME, "1.0", "Android's OpenSSL-backed security provider");
    for (String worker : WORKERS) {
      Provider provider = Security.getProvider(worker);
      if (provider != null) {
        provider.getServices().stream()
            .filter(service -> TYPES.contains(service.getType()))
            .forEach(this::take);
      }
    }
  }

  private void take(Service worker) {
    Map<String, String> attributes = new HashMap<>();
    for (String name : ATTRIBUTES) {
      String value = worker.getAttribute(name);
      if (value != null) {
        attributes.put(name, value);
      }
    }
    putService(
        new Service(
            this,
            worker.getType(),
            worker.getAlgorithm(),
            worker.getClassName(),
            aliases(worker),
            attributes) {
          @Override
          public Object newInstance(Object parameter) throws NoSuchAlgorithmException {
            return worker.newInstance(parameter);
          }
        });
  }

  /** Returns the other names of a service, which a provider keeps as properties. */
  private static List<String> aliases(Service service) {
    String prefix = "Alg.Alias." + service.getType() + ".";
    List<String> aliases = new ArrayList<>();
    service
        .getProvider()
        .forEach(
            (name, value) -> {
              if (name.toString().startsWith(prefix) && value.equals(service.getAlgorithm())) {
                aliases.add(name.toString().substring(prefix.length()));
              }
            });
    return aliases;
  }
}
