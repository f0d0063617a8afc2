// The certificates that an APK is signed with: those of its signing block, or else of its JAR
// signature. A phone installs no APK without one, so an APK that has none gets a debug certificate.
package dev.retap.agent.shadow.system;

import android.content.pm.Signature;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

public final class ApkSignatures {
  private static final int END_OF_DIRECTORY = 0x06054b50;
  private static final int END_SIZE = 22;
  private static final int MOST_COMMENT = 0xffff;
  private static final String MAGIC = "APK Sig Block 42";
  private static final int FOOTER = Long.BYTES + 16;

  /** The ids of the second and third scheme; their certificates lie at the same place. */
  private static final List<Integer> SCHEMES = List.of(0xf05368c0, 0x7109871a);

  private ApkSignatures() {}

  public static Signature[] of(Path apk) {
    try {
      List<byte[]> found = fromBlock(apk);
      found = found.isEmpty() ? fromJar(apk) : found;
      found = found.isEmpty() ? List.of(debugCertificate()) : found;
      return found.stream().map(Signature::new).toArray(Signature[]::new);
    } catch (IOException | CertificateException e) {
      throw new IllegalArgumentException("signatures of " + apk, e);
    }
  }

  private static List<byte[]> fromBlock(Path apk) throws IOException {
    List<byte[]> found = new ArrayList<>();
    try (FileChannel file = FileChannel.open(apk)) {
      ByteBuffer block = signingBlock(file);
      while (block != null && block.remaining() >= Long.BYTES + Integer.BYTES && found.isEmpty()) {
        ByteBuffer pair = take(block, block.getLong());
        if (SCHEMES.contains(pair.getInt())) {
          ByteBuffer signers = part(pair);
          while (signers.hasRemaining()) {
            ByteBuffer signedData = part(part(signers));
            part(signedData);
            ByteBuffer certificate = part(part(signedData));
            byte[] bytes = new byte[certificate.remaining()];
            certificate.get(bytes);
            found.add(bytes);
          }
        }
      }
      return found;
    } catch (BufferUnderflowException e) {
      return new ArrayList<>();
    }
  }

  /** Returns the pairs of the block in front of the directory, or null if there is none. */
  private static ByteBuffer signingBlock(FileChannel file) throws IOException {
    int tail = (int) Math.min(file.size(), END_SIZE + MOST_COMMENT);
    ByteBuffer end = read(file, file.size() - tail, tail);
    for (int at = tail - END_SIZE; at >= 0; at--) {
      if (end.getInt(at) == END_OF_DIRECTORY) {
        long directory = Integer.toUnsignedLong(end.getInt(at + 16));
        return directory < FOOTER ? null : blockBefore(file, directory);
      }
    }
    return null;
  }

  private static ByteBuffer blockBefore(FileChannel file, long directory) throws IOException {
    ByteBuffer footer = read(file, directory - FOOTER, FOOTER);
    long size = footer.getLong();
    byte[] magic = new byte[MAGIC.length()];
    footer.get(magic);
    boolean isBlock =
        MAGIC.equals(new String(magic, java.nio.charset.StandardCharsets.US_ASCII))
            && size >= FOOTER
            && size <= directory - Long.BYTES
            && size < Integer.MAX_VALUE;
    return isBlock ? read(file, directory - size, (int) size - FOOTER) : null;
  }

  private static ByteBuffer read(FileChannel file, long at, int size) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    while (bytes.hasRemaining() && file.read(bytes, at + bytes.position()) >= 0) {
      continue;
    }
    return bytes.flip();
  }

  /** Takes a part with its length in front. */
  private static ByteBuffer part(ByteBuffer from) {
    return take(from, from.getInt());
  }

  private static ByteBuffer take(ByteBuffer from, long size) {
    if (size < 0 || size > from.remaining()) {
      throw new BufferUnderflowException();
    }
    ByteBuffer taken = from.slice(from.position(), (int) size).order(ByteOrder.LITTLE_ENDIAN);
    from.position(from.position() + (int) size);
    return taken;
  }

  private static List<byte[]> fromJar(Path apk) throws IOException, CertificateException {
    List<byte[]> found = new ArrayList<>();
    try (ZipFile zip = new ZipFile(apk.toFile())) {
      for (ZipEntry entry : zip.stream().toList()) {
        if (entry.getName().matches("META-INF/[^/]+\\.(RSA|DSA|EC)")) {
          try (InputStream in = zip.getInputStream(entry)) {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (Certificate certificate : factory.generateCertificates(in)) {
              found.add(certificate.getEncoded());
            }
          }
        }
      }
    }
    return found;
  }

  private static byte[] debugCertificate() throws IOException {
    try (InputStream in = ApkSignatures.class.getResourceAsStream("debug.cer")) {
      return in.readAllBytes();
    }
  }
}
