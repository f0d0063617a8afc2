// Permissions for single addresses of content, which one app grants to another. Content that the
// user picked in another app comes with such a grant.
package dev.retap.agent.device.system.packages;

import android.content.pm.PackageManager;
import android.net.Uri;
import android.os.Process;
import dev.retap.agent.device.binder.BinderCall;
import dev.retap.agent.device.binder.BinderStub;
import java.util.HashSet;
import java.util.Set;

public final class UriGrants {
  /** Providers whose content an app gets only from the user's hand. */
  private static final Set<String> PICKED =
      Set.of(
          "com.android.externalstorage.documents",
          "com.android.providers.media.documents",
          "media");

  private final String packageName;
  private final Set<Uri> granted = new HashSet<>();

  public UriGrants(String packageName) {
    this.packageName = packageName;
  }

  public void serve(BinderStub stub) {
    stub.on("checkUriPermission", this::check)
        .on("grantUriPermission", this::grant)
        .on("revokeUriPermission", this::revoke);
  }

  private synchronized Object check(BinderCall call) {
    Uri uri = call.first(Uri.class);
    int uid = call.number(1);
    boolean isAllowed =
        uid == 0
            || uid == Process.SYSTEM_UID
            || granted.contains(uri)
            || uri != null && PICKED.contains(String.valueOf(uri.getAuthority()));
    return isAllowed ? PackageManager.PERMISSION_GRANTED : PackageManager.PERMISSION_DENIED;
  }

  private synchronized Object grant(BinderCall call) {
    if (packageName.equals(call.first(String.class))) {
      granted.add(call.first(Uri.class));
    }
    return null;
  }

  private synchronized Object revoke(BinderCall call) {
    granted.remove(call.first(Uri.class));
    return null;
  }
}
