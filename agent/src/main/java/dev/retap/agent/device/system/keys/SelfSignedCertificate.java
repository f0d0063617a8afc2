// A certificate for a new pair of keys, signed with the pair itself.
package dev.retap.agent.device.system.keys;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.util.Date;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.x509.X509V3CertificateGenerator;

final class SelfSignedCertificate {
  private SelfSignedCertificate() {}

  @SuppressWarnings("deprecation") // Its successor is in a library that nothing else needs.
  static X509Certificate sign(
      KeyPair pair, X500Principal subject, BigInteger serial, Date from, Date until)
      throws GeneralSecurityException {
    X509V3CertificateGenerator generator = new X509V3CertificateGenerator();
    generator.setSubjectDN(subject);
    generator.setIssuerDN(subject);
    generator.setSerialNumber(serial);
    generator.setNotBefore(from);
    generator.setNotAfter(until);
    generator.setPublicKey(pair.getPublic());
    String algorithm = pair.getPrivate().getAlgorithm();
    generator.setSignatureAlgorithm("SHA256with" + (algorithm.equals("EC") ? "ECDSA" : algorithm));
    return generator.generate(pair.getPrivate());
  }
}
