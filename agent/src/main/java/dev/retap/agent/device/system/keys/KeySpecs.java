// What a phone without a lock screen refuses when an app asks for a key.
package dev.retap.agent.device.system.keys;

import android.security.keystore.KeyGenParameterSpec;
import java.security.InvalidAlgorithmParameterException;
import java.security.spec.AlgorithmParameterSpec;

final class KeySpecs {
  private KeySpecs() {}

  static KeyGenParameterSpec check(AlgorithmParameterSpec parameters)
      throws InvalidAlgorithmParameterException {
    if (!(parameters instanceof KeyGenParameterSpec spec)) {
      throw new InvalidAlgorithmParameterException(
          "Cannot initialize without a " + KeyGenParameterSpec.class.getName() + " parameter");
    }
    if (spec.isUserAuthenticationRequired()) {
      throw new InvalidAlgorithmParameterException(
          new IllegalStateException(
              "Secure lock screen must be enabled to create keys requiring user authentication"));
    }
    return spec;
  }
}
