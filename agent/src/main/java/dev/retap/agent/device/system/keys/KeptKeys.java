// The bytes of a key that the phone keeps never leave it: an app that asks for them gets null. The
// JDK's ciphers, which do the phone's work here, get them. Rewritten code of the app calls this.
package dev.retap.agent.device.system.keys;

import java.security.Key;
import java.security.PrivateKey;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import javax.crypto.SecretKey;

public final class KeptKeys {
  private static final Set<Key> KEPT =
      Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

  private KeptKeys() {}

  /** Forgets the keys of the last process, which read its own from their file. */
  static void forget() {
    KEPT.clear();
  }

  static void add(Key key) {
    if (key != null) {
      KEPT.add(key);
    }
  }

  public static byte[] getEncoded(Key key) {
    return KEPT.contains(key) ? null : key.getEncoded();
  }

  public static byte[] getEncoded(SecretKey key) {
    return getEncoded((Key) key);
  }

  public static byte[] getEncoded(PrivateKey key) {
    return getEncoded((Key) key);
  }

  public static String getFormat(Key key) {
    return KEPT.contains(key) ? null : key.getFormat();
  }

  public static String getFormat(SecretKey key) {
    return getFormat((Key) key);
  }

  public static String getFormat(PrivateKey key) {
    return getFormat((Key) key);
  }
}
