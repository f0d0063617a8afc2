// Memory that is shared with nobody is never purged.
package dev.retap.agent.shadow.system;

import android.os.MemoryFile;
import java.io.FileDescriptor;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;

@Implements(value = MemoryFile.class, minSdk = 27)
public class MemoryFileShadow {
  @Implementation
  protected static boolean native_pin(FileDescriptor memory, boolean pin) {
    return false;
  }
}
