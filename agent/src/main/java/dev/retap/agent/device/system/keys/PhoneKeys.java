// The keys that the phone keeps for the app, by alias. They lie in a file of the system, so that
// they outlive the app's process and end with its data.
package dev.retap.agent.device.system.keys;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Map;
import java.util.TreeMap;
import javax.crypto.spec.SecretKeySpec;

final class PhoneKeys {
  /**
   * What lies under an alias.
   *
   * @param key a secret or private key, or null where there is only a certificate
   * @param certificate null for a secret key
   */
  record Entry(Key key, Certificate certificate, long created) {}

  private final File file;
  private final Map<String, Entry> entries = new TreeMap<>();

  PhoneKeys(File file) {
    this.file = file;
    KeptKeys.forget();
    if (file.exists()) {
      read();
    }
  }

  Map<String, Entry> entries() {
    return entries;
  }

  void put(String alias, Entry entry) {
    entries.put(alias, entry);
    KeptKeys.add(entry.key());
    write();
  }

  /** Keeps a copy of a key that the app made itself: the app's own still shows its bytes. */
  void putCopy(String alias, Entry entry) {
    try {
      Key own = entry.key();
      Key copy =
          own == null ? null : decodeKey(own.getAlgorithm(), own.getEncoded(), isPrivate(entry));
      put(alias, new Entry(copy, entry.certificate(), entry.created()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the phone cannot read the key", e);
    }
  }

  private static boolean isPrivate(Entry entry) {
    return entry.certificate() != null;
  }

  void remove(String alias) {
    if (entries.remove(alias) != null) {
      write();
    }
  }

  private void read() {
    try (DataInputStream in = new DataInputStream(new FileInputStream(file))) {
      for (int left = in.readInt(); left > 0; left--) {
        String alias = in.readUTF();
        long created = in.readLong();
        String algorithm = in.readUTF();
        byte[] key = readBytes(in);
        byte[] certificate = readBytes(in);
        Key kept = decodeKey(algorithm, key, certificate.length > 0);
        KeptKeys.add(kept);
        Certificate known = certificate.length > 0 ? decodeCertificate(certificate) : null;
        entries.put(alias, new Entry(kept, known, created));
      }
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException("the phone's keys are damaged", e);
    }
  }

  private void write() {
    file.getParentFile().mkdirs();
    try (DataOutputStream out = new DataOutputStream(new FileOutputStream(file))) {
      out.writeInt(entries.size());
      for (Map.Entry<String, Entry> it : entries.entrySet()) {
        Entry entry = it.getValue();
        out.writeUTF(it.getKey());
        out.writeLong(entry.created());
        out.writeUTF(entry.key() == null ? "" : entry.key().getAlgorithm());
        writeBytes(out, entry.key() == null ? new byte[0] : entry.key().getEncoded());
        Certificate certificate = entry.certificate();
        writeBytes(out, certificate == null ? new byte[0] : certificate.getEncoded());
      }
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException("the phone cannot keep its keys", e);
    }
  }

  private static Key decodeKey(String algorithm, byte[] encoded, boolean isPrivate)
      throws GeneralSecurityException {
    if (encoded.length == 0) {
      return null;
    }
    if (!isPrivate) {
      return new SecretKeySpec(encoded, algorithm);
    }
    return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
  }

  private static Certificate decodeCertificate(byte[] encoded) throws GeneralSecurityException {
    return CertificateFactory.getInstance("X.509")
        .generateCertificate(new ByteArrayInputStream(encoded));
  }

  private static byte[] readBytes(DataInputStream in) throws IOException {
    return in.readNBytes(in.readInt());
  }

  private static void writeBytes(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }
}
