// Makes secret keys that the phone keeps.
package dev.retap.agent.device.system.keys;

import android.security.keystore.KeyGenParameterSpec;
import dev.retap.agent.world.Blocking;
import java.security.InvalidAlgorithmParameterException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import javax.crypto.KeyGeneratorSpi;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

final class AndroidKeyGenerator extends KeyGeneratorSpi {
  private final PhoneKeys keys;
  private final String algorithm;
  private final int defaultBits;
  private KeyGenParameterSpec spec;

  AndroidKeyGenerator(PhoneKeys keys, String algorithm, int defaultBits) {
    this.keys = keys;
    this.algorithm = algorithm;
    this.defaultBits = defaultBits;
  }

  @Override
  protected void engineInit(SecureRandom random) {
    throw needsSpec();
  }

  @Override
  protected void engineInit(int bits, SecureRandom random) {
    throw needsSpec();
  }

  @Override
  protected void engineInit(AlgorithmParameterSpec parameters, SecureRandom random)
      throws InvalidAlgorithmParameterException {
    spec = KeySpecs.check(parameters);
  }

  @Override
  protected SecretKey engineGenerateKey() {
    if (spec == null) {
      throw new IllegalStateException("Not initialized");
    }
    byte[] bytes = new byte[(spec.getKeySize() > 0 ? spec.getKeySize() : defaultBits) / Byte.SIZE];
    new SecureRandom().nextBytes(bytes);
    SecretKey key = new SecretKeySpec(bytes, algorithm);
    keys.put(spec.getKeystoreAlias(), new PhoneKeys.Entry(key, null, Blocking.currentTimeMillis()));
    return key;
  }

  private static UnsupportedOperationException needsSpec() {
    return new UnsupportedOperationException(
        "Cannot initialize without a " + KeyGenParameterSpec.class.getName() + " parameter");
  }
}
