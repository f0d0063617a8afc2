// Tells the package manager what the app is signed with.
package dev.retap.agent.device.system.packages;

import android.content.Context;
import android.content.pm.PackageInfo;
import android.content.pm.Signature;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.device.reflect.FrameworkFields;
import dev.retap.agent.shadow.system.ApkSignatures;
import java.nio.file.Path;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowPackageManager;

public final class SignedPackage {
  private static final int SECOND_SCHEME = 2;

  /** The app's file and its certificates, which are read once. */
  private static Path known;

  private static Signature[] certificates;

  private SignedPackage() {}

  public static void install(Context context, Path apk, int apiLevel) {
    ShadowPackageManager packages = Shadow.extract(context.getPackageManager());
    PackageInfo info = packages.getInternalMutablePackageInfo(context.getPackageName());
    Signature[] signatures = signatures(apk);
    info.signatures = signatures;
    if (apiLevel >= 28) {
      Object signed = FrameworkCalls.constructEmpty("android.content.pm.SigningInfo");
      Class<?> details = FrameworkFields.find(signed.getClass(), "mSigningDetails").getType();
      FrameworkFields.set(
          signed, "mSigningDetails", FrameworkCalls.construct(details, signatures, SECOND_SCHEME));
      FrameworkFields.set(info, "signingInfo", signed);
    }
  }

  /** Returns objects of their own for each process. */
  private static synchronized Signature[] signatures(Path apk) {
    if (!apk.equals(known)) {
      certificates = ApkSignatures.of(apk);
      known = apk;
    }
    Signature[] copies = new Signature[certificates.length];
    for (int i = 0; i < copies.length; i++) {
      copies[i] = new Signature(certificates[i].toByteArray());
    }
    return copies;
  }
}
