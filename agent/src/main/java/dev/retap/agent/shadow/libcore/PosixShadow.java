// System calls about files below API 26.
package dev.retap.agent.shadow.libcore;

import android.system.ErrnoException;
import android.system.StructStatVfs;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowPosix;

@Implements(className = "libcore.io.Posix", maxSdk = 25, isInAndroidSdk = false)
public class PosixShadow extends ShadowPosix {
  @Implementation
  protected StructStatVfs statvfs(String path) throws ErrnoException {
    return DiskSpace.of(path);
  }
}
