// Resolves intents as a phone's package manager does: the type of content is asked from its
// provider, and an intent that says nothing at all finds nobody.
package dev.retap.agent.shadow;

import android.content.ContentResolver;
import android.content.Intent;
import android.content.pm.PackageInfo;
import android.content.pm.ResolveInfo;
import java.util.ArrayList;
import java.util.List;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowApplicationPackageManager;

@Implements(className = "android.app.ApplicationPackageManager", isInAndroidSdk = false)
public class PackageManagerShadow extends ShadowApplicationPackageManager {
  @Override
  @Implementation
  protected List<ResolveInfo> queryIntentActivities(Intent intent, int flags) {
    return isEmpty(intent)
        ? new ArrayList<>()
        : super.queryIntentActivities(withType(intent), flags);
  }

  @Override
  @Implementation
  protected List<ResolveInfo> queryIntentServices(Intent intent, int flags) {
    return isEmpty(intent) ? new ArrayList<>() : super.queryIntentServices(withType(intent), flags);
  }

  @Override
  @Implementation
  protected List<ResolveInfo> queryBroadcastReceivers(Intent intent, int flags) {
    return isEmpty(intent)
        ? new ArrayList<>()
        : super.queryBroadcastReceivers(withType(intent), flags);
  }

  @Override
  @Implementation
  protected List<PackageInfo> getPreferredPackages(int flags) {
    return new ArrayList<>();
  }

  /** A phone looks intents up by action, scheme and type; this one has none of them. */
  private static boolean isEmpty(Intent intent) {
    return intent.getAction() == null
        && intent.getData() == null
        && intent.getType() == null
        && intent.getComponent() == null
        && intent.getPackage() == null
        && intent.getSelector() == null;
  }

  private static Intent withType(Intent intent) {
    if (intent.getType() != null
        || intent.getComponent() != null
        || !ContentResolver.SCHEME_CONTENT.equals(intent.getScheme())) {
      return intent;
    }
    String type = intent.resolveType(RuntimeEnvironment.getApplication());
    return type == null ? intent : new Intent(intent).setDataAndType(intent.getData(), type);
  }
}
