// Makes pairs of keys that the phone keeps, each with a certificate that it signs itself.
package dev.retap.agent.device.system.keys;

import android.security.KeyPairGeneratorSpec;
import android.security.keystore.KeyGenParameterSpec;
import dev.retap.agent.world.Blocking;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyPairGeneratorSpi;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Date;
import javax.security.auth.x500.X500Principal;

final class AndroidKeyPairGenerator extends KeyPairGeneratorSpi {
  private static final int RSA_BITS = 2048;
  private static final int EC_BITS = 256;

  /**
   * What to make.
   *
   * @param parameters the curve or exponent that the app wants, or null
   */
  private record Wanted(
      String alias,
      String algorithm,
      int bits,
      AlgorithmParameterSpec parameters,
      X500Principal subject,
      BigInteger serial,
      Date from,
      Date until) {}

  private final PhoneKeys keys;
  private final String algorithm;
  private Wanted wanted;

  AndroidKeyPairGenerator(PhoneKeys keys, String algorithm) {
    this.keys = keys;
    this.algorithm = algorithm;
  }

  @Override
  public void initialize(int bits, SecureRandom random) {
    throw new IllegalArgumentException(
        KeyGenParameterSpec.class.getName() + " required to initialize this KeyPairGenerator");
  }

  @Override
  public void initialize(AlgorithmParameterSpec parameters, SecureRandom random)
      throws InvalidAlgorithmParameterException {
    if (parameters instanceof KeyPairGeneratorSpec old) {
      String type = old.getKeyType() == null ? algorithm : old.getKeyType();
      wanted =
          new Wanted(
              old.getKeystoreAlias(),
              type,
              old.getKeySize(),
              old.getAlgorithmParameterSpec(),
              old.getSubjectDN(),
              old.getSerialNumber(),
              old.getStartDate(),
              old.getEndDate());
      return;
    }
    KeyGenParameterSpec spec = KeySpecs.check(parameters);
    wanted =
        new Wanted(
            spec.getKeystoreAlias(),
            algorithm,
            spec.getKeySize(),
            spec.getAlgorithmParameterSpec(),
            spec.getCertificateSubject(),
            spec.getCertificateSerialNumber(),
            spec.getCertificateNotBefore(),
            spec.getCertificateNotAfter());
  }

  @Override
  public KeyPair generateKeyPair() {
    if (wanted == null) {
      throw new IllegalStateException("Not initialized");
    }
    try {
      KeyPairGenerator maker = KeyPairGenerator.getInstance(wanted.algorithm);
      if (wanted.parameters != null) {
        maker.initialize(wanted.parameters);
      } else {
        int usual = wanted.algorithm.equals("EC") ? EC_BITS : RSA_BITS;
        maker.initialize(wanted.bits > 0 ? wanted.bits : usual);
      }
      KeyPair pair = maker.generateKeyPair();
      Certificate certificate =
          SelfSignedCertificate.sign(
              pair, wanted.subject, wanted.serial, wanted.from, wanted.until);
      keys.put(
          wanted.alias,
          new PhoneKeys.Entry(pair.getPrivate(), certificate, Blocking.currentTimeMillis()));
      return pair;
    } catch (GeneralSecurityException e) {
      throw new ProviderException("Failed to generate key pair.", e);
    }
  }
}
