// Copies a PackageInfo for a caller to keep or change. Robolectric copies it through a parcel,
// which for an app of some hundred activities costs more than starting one. MethodReplacer puts
// this method in its place.
package dev.retap.agent.shadow;

import android.content.pm.ActivityInfo;
import android.content.pm.ApplicationInfo;
import android.content.pm.ComponentInfo;
import android.content.pm.PackageInfo;
import android.content.pm.ProviderInfo;
import android.content.pm.ServiceInfo;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.function.UnaryOperator;

public final class PackageInfoCopy {
  private static final Field[] FIELDS = PackageInfo.class.getFields();

  private PackageInfoCopy() {}

  public static PackageInfo newPackageInfo(PackageInfo original) {
    PackageInfo copy = new PackageInfo();
    try {
      for (Field field : FIELDS) {
        if (!Modifier.isStatic(field.getModifiers())) {
          field.set(copy, field.get(original));
        }
      }
    } catch (IllegalAccessException e) {
      throw new LinkageError("PackageInfo", e);
    }
    ApplicationInfo app = original.applicationInfo;
    copy.applicationInfo = app == null ? null : new ApplicationInfo(app);
    copy.activities = copies(original.activities, ActivityInfo::new, copy.applicationInfo);
    copy.receivers = copies(original.receivers, ActivityInfo::new, copy.applicationInfo);
    copy.services = copies(original.services, ServiceInfo::new, copy.applicationInfo);
    copy.providers = copies(original.providers, ProviderInfo::new, copy.applicationInfo);
    return copy;
  }

  private static <T extends ComponentInfo> T[] copies(
      T[] components, UnaryOperator<T> copy, ApplicationInfo app) {
    if (components == null) {
      return null;
    }
    T[] copies = components.clone();
    for (int i = 0; i < copies.length; i++) {
      copies[i] = copy.apply(components[i]);
      copies[i].applicationInfo = app;
    }
    return copies;
  }
}
