// The phone's keys as a KeyStore.
package dev.retap.agent.device.system.keys;

import dev.retap.agent.device.system.keys.PhoneKeys.Entry;
import dev.retap.agent.world.Blocking;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.Key;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.KeyStoreSpi;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.util.Collections;
import java.util.Date;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import javax.crypto.SecretKey;

final class AndroidKeyStoreSpi extends KeyStoreSpi {
  private final PhoneKeys keys;

  AndroidKeyStoreSpi(PhoneKeys keys) {
    this.keys = keys;
  }

  @Override
  public Key engineGetKey(String alias, char[] password) {
    Entry entry = find(alias);
    return entry == null ? null : entry.key();
  }

  @Override
  public KeyStore.Entry engineGetEntry(String alias, KeyStore.ProtectionParameter protection) {
    Entry entry = find(alias);
    if (entry == null) {
      return null;
    }
    if (entry.key() instanceof SecretKey secret) {
      return new KeyStore.SecretKeyEntry(secret);
    }
    return entry.key() instanceof PrivateKey key
        ? new KeyStore.PrivateKeyEntry(key, new Certificate[] {entry.certificate()})
        : new KeyStore.TrustedCertificateEntry(entry.certificate());
  }

  @Override
  public void engineSetEntry(
      String alias, KeyStore.Entry entry, KeyStore.ProtectionParameter protection)
      throws KeyStoreException {
    if (entry instanceof KeyStore.SecretKeyEntry secret) {
      put(alias, secret.getSecretKey(), null);
    } else if (entry instanceof KeyStore.PrivateKeyEntry pair) {
      put(alias, pair.getPrivateKey(), pair.getCertificate());
    } else if (entry instanceof KeyStore.TrustedCertificateEntry trusted) {
      engineSetCertificateEntry(alias, trusted.getTrustedCertificate());
    } else {
      throw new KeyStoreException(
          "Entry must be a PrivateKeyEntry, SecretKeyEntry or TrustedCertificateEntry; was "
              + entry);
    }
  }

  @Override
  public Certificate[] engineGetCertificateChain(String alias) {
    Certificate certificate = engineGetCertificate(alias);
    return certificate == null ? null : new Certificate[] {certificate};
  }

  @Override
  public Certificate engineGetCertificate(String alias) {
    Entry entry = find(alias);
    return entry == null ? null : entry.certificate();
  }

  @Override
  public Date engineGetCreationDate(String alias) {
    Entry entry = find(alias);
    return entry == null ? null : new Date(entry.created());
  }

  @Override
  public void engineSetKeyEntry(String alias, Key key, char[] password, Certificate[] chain)
      throws KeyStoreException {
    if (password != null && password.length > 0) {
      throw new KeyStoreException("entries cannot be protected with passwords");
    }
    put(alias, key, chain == null ? null : chain[0]);
  }

  @Override
  public void engineSetKeyEntry(String alias, byte[] key, Certificate[] chain)
      throws KeyStoreException {
    throw new KeyStoreException("Operation not supported because key encoding is unknown");
  }

  @Override
  public void engineSetCertificateEntry(String alias, Certificate certificate)
      throws KeyStoreException {
    if (engineIsKeyEntry(alias)) {
      throw new KeyStoreException("Entry exists and is not a trusted certificate");
    }
    put(alias, null, certificate);
  }

  @Override
  public void engineDeleteEntry(String alias) {
    keys.remove(alias);
  }

  @Override
  public Enumeration<String> engineAliases() {
    return Collections.enumeration(List.copyOf(keys.entries().keySet()));
  }

  @Override
  public boolean engineContainsAlias(String alias) {
    return find(alias) != null;
  }

  @Override
  public int engineSize() {
    return keys.entries().size();
  }

  @Override
  public boolean engineIsKeyEntry(String alias) {
    Entry entry = find(alias);
    return entry != null && entry.key() != null;
  }

  @Override
  public boolean engineIsCertificateEntry(String alias) {
    Entry entry = find(alias);
    return entry != null && entry.key() == null;
  }

  @Override
  public String engineGetCertificateAlias(Certificate certificate) {
    for (Map.Entry<String, Entry> entry : keys.entries().entrySet()) {
      if (certificate.equals(entry.getValue().certificate())) {
        return entry.getKey();
      }
    }
    return null;
  }

  @Override
  public void engineStore(OutputStream stream, char[] password) {
    throw new UnsupportedOperationException("Can not serialize AndroidKeyStore to OutputStream");
  }

  @Override
  public void engineLoad(InputStream stream, char[] password) throws IOException {
    if (stream != null) {
      throw new IllegalArgumentException("InputStream not supported");
    }
    if (password != null) {
      throw new IllegalArgumentException("password not supported");
    }
  }

  private Entry find(String alias) {
    if (alias == null) {
      throw new NullPointerException("alias == null");
    }
    return keys.entries().get(alias);
  }

  private void put(String alias, Key key, Certificate certificate) {
    keys.putCopy(alias, new Entry(key, certificate, Blocking.currentTimeMillis()));
  }
}
