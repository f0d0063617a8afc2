// Leaves out the magnifier over a text cursor that is dragged. It needs a surface of the
// compositor, which is missing here, and shows nothing that is not on the screen anyway.
package dev.retap.agent.shadow;

import android.widget.Magnifier;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;

@Implements(value = Magnifier.class, minSdk = 28)
public class MagnifierShadow {
  @Implementation
  protected void show(float x, float y) {}

  @Implementation(minSdk = 29)
  protected void show(float x, float y, float magnifierX, float magnifierY) {}

  @Implementation
  protected void update() {}
}
