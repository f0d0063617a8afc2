// Lists the classes of an APK, which test runners search for tests. On a phone the list comes from
// the runtime.
package dev.retap.agent.shadow.system;

import dalvik.system.DexFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.robolectric.annotation.ClassName;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowDexFile;

@Implements(value = DexFile.class, isInAndroidSdk = false)
public class DexFileShadow extends ShadowDexFile {
  @Implementation(minSdk = 24)
  protected static Object openDexFileNative(
      String source,
      String output,
      int flags,
      ClassLoader loader,
      @ClassName("[Ldalvik.system.DexPathList$Element;") Object elements)
      throws IOException {
    return new ArrayList<>(DexNames.of(source));
  }

  @Implementation(maxSdk = 23)
  protected static Object openDexFileNative(String source, String output, int flags)
      throws IOException {
    return new ArrayList<>(DexNames.of(source));
  }

  @Implementation
  protected static String[] getClassNameList(Object cookie) {
    return ((List<?>) cookie).toArray(new String[0]);
  }

  @Implementation(minSdk = 24)
  protected static boolean closeDexFile(Object cookie) {
    return true;
  }

  @Implementation(minSdk = 24)
  protected static Class<?> defineClassNative(
      String name, ClassLoader loader, Object cookie, DexFile file) throws ClassNotFoundException {
    return loader.loadClass(name.replace('/', '.'));
  }
}
