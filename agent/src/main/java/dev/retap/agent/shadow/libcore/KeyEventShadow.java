// Numbers for key events, which a phone draws in native code since Android 11.
package dev.retap.agent.shadow.libcore;

import android.view.KeyEvent;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;

@Implements(KeyEvent.class)
public class KeyEventShadow {
  private static int last;

  @Implementation(minSdk = 30)
  protected static int nativeNextId() {
    return ++last;
  }
}
