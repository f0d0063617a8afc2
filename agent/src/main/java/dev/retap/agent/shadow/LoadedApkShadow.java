// The class loader of a package that runs no code here, such as the context of another package: it
// knows the framework. On a phone it is made of dex files, which this host has none of.
package dev.retap.agent.shadow;

import android.app.LoadedApk;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadows.ShadowLoadedApk;
import org.robolectric.util.ReflectionHelpers;

@Implements(value = LoadedApk.class, isInAndroidSdk = false)
public class LoadedApkShadow extends ShadowLoadedApk {
  @RealObject private LoadedApk real;

  /** Returns the loader that the app's own package was given, else the framework's. */
  @Override
  @Implementation
  public ClassLoader getClassLoader() {
    ClassLoader given = ReflectionHelpers.getField(real, "mClassLoader");
    return given == null ? LoadedApkShadow.class.getClassLoader() : given;
  }
}
