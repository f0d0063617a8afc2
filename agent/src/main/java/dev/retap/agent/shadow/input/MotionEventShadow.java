// Motion events refuse a matrix that is null in the framework's way.
package dev.retap.agent.shadow.input;

import android.graphics.Matrix;
import android.view.MotionEvent;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowMotionEvent;

@Implements(MotionEvent.class)
public class MotionEventShadow extends ShadowMotionEvent {
  @Override
  @Implementation
  protected void transform(Matrix matrix) {
    if (matrix == null) {
      throw new IllegalArgumentException("matrix must not be null");
    }
    super.transform(matrix);
  }
}
