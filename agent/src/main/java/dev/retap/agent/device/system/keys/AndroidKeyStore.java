// The provider AndroidKeyStore: makes keys, and keeps them. Keys are of the JDK, so that its
// ciphers take them; KeptKeys hides their bytes from the app.
package dev.retap.agent.device.system.keys;

import java.io.File;
import java.security.Provider;
import java.util.function.Supplier;

final class AndroidKeyStore extends Provider {
  private static final String NAME = "AndroidKeyStore";
  private static final long serialVersionUID = 1;

  private transient PhoneKeys keys;

  AndroidKeyStore() {
    super(NAME, "1.0", "Android KeyStore security provider");
    add("KeyStore", NAME, () -> new AndroidKeyStoreSpi(keys));
    for (String algorithm : new String[] {"RSA", "EC"}) {
      add("KeyPairGenerator", algorithm, () -> new AndroidKeyPairGenerator(keys, algorithm));
    }
    add("KeyGenerator", "AES", () -> new AndroidKeyGenerator(keys, "AES", 128));
    for (int bits : new int[] {224, 256, 384, 512}) {
      String algorithm = "HmacSHA" + bits;
      add("KeyGenerator", algorithm, () -> new AndroidKeyGenerator(keys, algorithm, bits));
    }
    add("KeyGenerator", "HmacSHA1", () -> new AndroidKeyGenerator(keys, "HmacSHA1", 160));
  }

  /** Opens the keys in this file. */
  void open(File file) {
    keys = new PhoneKeys(file);
  }

  private void add(String type, String algorithm, Supplier<Object> maker) {
    putService(
        new Service(this, type, algorithm, maker.getClass().getName(), null, null) {
          @Override
          public Object newInstance(Object parameter) {
            return maker.get();
          }
        });
  }
}
