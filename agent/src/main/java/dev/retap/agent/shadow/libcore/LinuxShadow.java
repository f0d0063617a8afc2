// System calls about files, from API 26 on, that the host answers even for files that are not
// there.
package dev.retap.agent.shadow.libcore;

import android.system.ErrnoException;
import android.system.StructStat;
import android.system.StructStatVfs;
import libcore.io.Linux;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowLinux;

@Implements(value = Linux.class, minSdk = 26, isInAndroidSdk = false)
public class LinuxShadow extends ShadowLinux {
  @Override
  @Implementation
  public StructStat stat(String path) throws ErrnoException {
    DiskSpace.checkExists("stat", path);
    return super.stat(path);
  }

  @Override
  @Implementation
  protected StructStat lstat(String path) throws ErrnoException {
    DiskSpace.checkExists("lstat", path);
    return super.lstat(path);
  }

  @Implementation
  protected StructStatVfs statvfs(String path) throws ErrnoException {
    return DiskSpace.of(path);
  }
}
