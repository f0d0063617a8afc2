// Signs an APK with all schemes that phones know, and checks the result with apksig's own verifier.
package dev.retap.agent.packaging;

import com.android.apksig.ApkSigner;
import com.android.apksig.ApkVerifier;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * @param keystore a PKCS12 or JKS file
 * @param alias the name of the key, or empty if the file has only one
 * @param password the password of the file and of the key
 * @param minApi the lowest API level that the APK runs on
 */
record Signature(Path keystore, String alias, char[] password, int minApi) {
  /** Android 5. Phones from 7 on read schemes 2 and 3 alone, and those before only scheme 1. */
  private static final int FIRST_CHECKED = 21;

  /** Thrown for a key that cannot be used. */
  static final class KeyException extends IOException {
    KeyException(String message) {
      super(message);
    }
  }

  void sign(Path unsigned, Path signed) throws Exception {
    ApkSigner.SignerConfig signer = signer();
    new ApkSigner.Builder(List.of(signer))
        .setInputApk(unsigned.toFile())
        .setOutputApk(signed.toFile())
        .setMinSdkVersion(minApi)
        .setCreatedBy("retap")
        .setV1SigningEnabled(true)
        .setV2SigningEnabled(true)
        .setV3SigningEnabled(true)
        .setV4SigningEnabled(false)
        .build()
        .sign();
    verify(signed);
  }

  private void verify(Path signed) throws Exception {
    ApkVerifier.Result result =
        new ApkVerifier.Builder(signed.toFile())
            .setMinCheckedPlatformVersion(FIRST_CHECKED)
            .build()
            .verify();
    boolean complete =
        result.isVerifiedUsingV1Scheme()
            && result.isVerifiedUsingV2Scheme()
            && result.isVerifiedUsingV3Scheme();
    if (!result.isVerified() || !complete) {
      throw new IOException("the signature does not verify: " + result.getErrors());
    }
  }

  private ApkSigner.SignerConfig signer() throws IOException {
    try {
      KeyStore keys = open();
      String name = alias.isEmpty() ? onlyKey(keys) : alias;
      Key key = keys.getKey(name, password);
      if (!(key instanceof PrivateKey own)) {
        throw new KeyException(keystore + " has no private key named " + name);
      }
      List<X509Certificate> certificates = new ArrayList<>();
      for (Certificate certificate : keys.getCertificateChain(name)) {
        certificates.add((X509Certificate) certificate);
      }
      return new ApkSigner.SignerConfig.Builder("CERT", own, certificates).build();
    } catch (GeneralSecurityException e) {
      throw new KeyException(keystore + " cannot be used: " + e.getMessage());
    }
  }

  private KeyStore open() throws GeneralSecurityException, IOException {
    try (InputStream in = Files.newInputStream(keystore)) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(in, password);
      return keys;
    } catch (IOException e) {
      throw new KeyException(keystore + " cannot be opened: " + e.getMessage());
    }
  }

  private String onlyKey(KeyStore keys) throws GeneralSecurityException, IOException {
    List<String> names = new ArrayList<>();
    for (String name : Collections.list(keys.aliases())) {
      if (keys.isKeyEntry(name)) {
        names.add(name);
      }
    }
    if (names.size() != 1) {
      throw new KeyException(keystore + " has " + names.size() + " keys " + names + ": name one");
    }
    return names.get(0);
  }
}
