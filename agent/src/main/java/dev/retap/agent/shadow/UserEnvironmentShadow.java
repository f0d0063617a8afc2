// Gives the phone one volume, the shared storage. An app's folders on it then lie where the app
// expects them and live as long as its data.
package dev.retap.agent.shadow;

import android.os.Environment;
import java.io.File;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;

@Implements(className = "android.os.Environment$UserEnvironment", isInAndroidSdk = false)
public class UserEnvironmentShadow {
  @Implementation
  protected File[] getExternalDirs() {
    return new File[] {Environment.getExternalStorageDirectory()};
  }
}
