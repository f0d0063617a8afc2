// The picture that UiAutomation takes of the display, which on a phone comes from the compositor.
package dev.retap.agent.shadow.system;

import android.app.UiAutomation;
import android.graphics.Bitmap;
import java.util.function.Supplier;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;

@Implements(value = UiAutomation.class, isInAndroidSdk = false)
public class UiAutomationShadow {
  private static Supplier<Bitmap> camera = () -> null;

  /** Sets what takes the picture. */
  public static void setCamera(Supplier<Bitmap> camera) {
    UiAutomationShadow.camera = camera;
  }

  @Implementation
  protected Bitmap takeScreenshot() {
    return camera.get();
  }
}
