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

  private SignedPackage() {}

  public static void install(Context context, Path apk, int apiLevel) {
    ShadowPackageManager packages = Shadow.extract(context.getPackageManager());
    PackageInfo info = packages.getInternalMutablePackageInfo(context.getPackageName());
    Signature[] signatures = ApkSignatures.of(apk);
    info.signatures = signatures;
    if (apiLevel >= 28) {
      Object signed = FrameworkCalls.constructEmpty("android.content.pm.SigningInfo");
      Class<?> details = FrameworkFields.find(signed.getClass(), "mSigningDetails").getType();
      FrameworkFields.set(
          signed, "mSigningDetails", FrameworkCalls.construct(details, signatures, SECOND_SCHEME));
      FrameworkFields.set(info, "signingInfo", signed);
    }
  }
}
