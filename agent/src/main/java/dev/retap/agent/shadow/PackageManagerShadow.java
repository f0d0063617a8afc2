// Resolves intents as a phone's package manager does: the type of content is asked from its
// provider, and an intent that says nothing at all finds nobody.
package dev.retap.agent.shadow;

import android.app.Application;
import android.content.ComponentName;
import android.content.ContentResolver;
import android.content.Intent;
import android.content.IntentFilter;
import android.content.pm.InstrumentationInfo;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.content.pm.ProviderInfo;
import android.content.pm.ResolveInfo;
import android.os.Process;
import dev.retap.agent.shadow.system.ApkSignatures;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowApplicationPackageManager;

@Implements(className = "android.app.ApplicationPackageManager", isInAndroidSdk = false)
public class PackageManagerShadow extends ShadowApplicationPackageManager {
  private static final int NETWORK_GROUP = 3003;

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
  protected PackageInfo getPackageArchiveInfo(String path, int flags) {
    PackageInfo info = super.getPackageArchiveInfo(path, flags);
    if (info != null && (flags & PackageManager.GET_SIGNATURES) != 0) {
      info.signatures = ApkSignatures.of(Path.of(path));
    }
    return info;
  }

  /** Refuses, because only the user chooses which app opens what. */
  @Override
  @Implementation
  public void addPreferredActivity(
      IntentFilter filter, int match, ComponentName[] set, ComponentName activity) {
    throw new SecurityException(
        "Neither user "
            + Process.myUid()
            + " nor current process has android.permission.SET_PREFERRED_APPLICATIONS.");
  }

  @Override
  @Implementation
  protected List<PackageInfo> getPreferredPackages(int flags) {
    return new ArrayList<>();
  }

  @Override
  @Implementation
  protected List<ResolveInfo> queryIntentActivityOptions(
      ComponentName caller, Intent[] specifics, Intent intent, int flags) {
    List<ResolveInfo> found = new ArrayList<>();
    Set<ComponentName> known = new HashSet<>();
    if (caller != null) {
      known.add(caller);
    }
    for (int i = 0; specifics != null && i < specifics.length; i++) {
      Intent specific = specifics[i];
      if (specific != null) {
        addNew(found, known, queryIntentActivities(specific, flags), i);
      }
    }
    addNew(found, known, queryIntentActivities(intent, flags), -1);
    return found;
  }

  /** Adds activities that are not yet known: all, or the first as the given specific one. */
  private static void addNew(
      List<ResolveInfo> into, Set<ComponentName> known, List<ResolveInfo> from, int specific) {
    for (ResolveInfo each : from) {
      if (known.add(new ComponentName(each.activityInfo.packageName, each.activityInfo.name))) {
        each.specificIndex = specific;
        into.add(each);
      }
      if (specific >= 0) {
        return;
      }
    }
  }

  @Override
  @Implementation
  protected List<ProviderInfo> queryContentProviders(String process, int uid, int flags) {
    List<ProviderInfo> found = new ArrayList<>();
    Application app = RuntimeEnvironment.getApplication();
    if (process != null && app.getApplicationInfo().uid != uid) {
      return found;
    }
    for (ProviderInfo each : declared(PackageManager.GET_PROVIDERS | flags).providers) {
      if (process == null || process.equals(each.processName)) {
        found.add(each);
      }
    }
    return found;
  }

  @Override
  @Implementation
  protected InstrumentationInfo getInstrumentationInfo(ComponentName name, int flags)
      throws PackageManager.NameNotFoundException {
    for (InstrumentationInfo each : queryInstrumentation(null, flags)) {
      if (each.packageName.equals(name.getPackageName()) && each.name.equals(name.getClassName())) {
        return each;
      }
    }
    throw new PackageManager.NameNotFoundException(name.toString());
  }

  @Override
  @Implementation
  protected List<InstrumentationInfo> queryInstrumentation(String target, int flags) {
    List<InstrumentationInfo> found = new ArrayList<>();
    for (PackageInfo each : getInstalledPackages(PackageManager.GET_INSTRUMENTATION | flags)) {
      for (int i = 0; each.instrumentation != null && i < each.instrumentation.length; i++) {
        if (target == null || target.equals(each.instrumentation[i].targetPackage)) {
          found.add(each.instrumentation[i]);
        }
      }
    }
    return found;
  }

  /** Returns what the app declares; lists that it has none of are empty. */
  private PackageInfo declared(int flags) {
    try {
      PackageInfo info =
          getPackageInfo(RuntimeEnvironment.getApplication().getPackageName(), flags);
      info.providers = info.providers == null ? new ProviderInfo[0] : info.providers;
      return info;
    } catch (PackageManager.NameNotFoundException e) {
      throw new IllegalStateException("the app is not installed", e);
    }
  }

  /** Returns the group of those who may use the network, if the app may. */
  @Override
  @Implementation
  protected int[] getPackageGids(String name) throws PackageManager.NameNotFoundException {
    String[] asked = getPackageInfo(name, PackageManager.GET_PERMISSIONS).requestedPermissions;
    boolean network =
        asked != null && Arrays.asList(asked).contains(android.Manifest.permission.INTERNET);
    return network ? new int[] {NETWORK_GROUP} : new int[0];
  }

  @Override
  @Implementation(minSdk = 24)
  protected int[] getPackageGids(String name, int flags)
      throws PackageManager.NameNotFoundException {
    return getPackageGids(name);
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
