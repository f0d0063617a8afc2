// A filter of paint flags can be set and does nothing: the host's canvases have no filters.
package dev.retap.agent.shadow;

import android.graphics.PaintFlagsDrawFilter;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;

@Implements(PaintFlagsDrawFilter.class)
public class DrawFilterShadow {
  /** Returns the native filter that a canvas takes for none. */
  @Implementation
  protected static long nativeConstructor(int cleared, int set) {
    return 0;
  }
}
