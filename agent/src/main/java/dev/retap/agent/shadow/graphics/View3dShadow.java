// The native half of android.graphics.Camera.
package dev.retap.agent.shadow.graphics;

import android.graphics.Camera;
import android.graphics.Canvas;
import android.graphics.Matrix;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;

@Implements(Camera.class)
public class View3dShadow {
  private final View3d view = new View3d();

  @Implementation
  protected void nativeConstructor() {}

  @Implementation
  protected void nativeDestructor() {}

  @Implementation
  protected void save() {
    view.save();
  }

  @Implementation
  protected void restore() {
    view.restore();
  }

  @Implementation
  protected void translate(float x, float y, float z) {
    view.translate(x, y, z);
  }

  @Implementation
  protected void rotateX(float degrees) {
    view.rotateX(degrees);
  }

  @Implementation
  protected void rotateY(float degrees) {
    view.rotateY(degrees);
  }

  @Implementation
  protected void rotateZ(float degrees) {
    view.rotateZ(degrees);
  }

  @Implementation
  protected void rotate(float x, float y, float z) {
    view.rotateX(x);
    view.rotateY(y);
    view.rotateZ(z);
  }

  @Implementation
  protected void setLocation(float x, float y, float z) {
    view.setLocation(x, y, z);
  }

  @Implementation
  protected float getLocationX() {
    return view.location(0);
  }

  @Implementation
  protected float getLocationY() {
    return view.location(1);
  }

  @Implementation
  protected float getLocationZ() {
    return view.location(2);
  }

  @Implementation
  protected float dotWithNormal(float x, float y, float z) {
    return view.dotWithNormal(x, y, z);
  }

  @Implementation
  protected void getMatrix(Matrix matrix) {
    matrix.setValues(view.projection());
  }

  @Implementation
  protected void applyToCanvas(Canvas canvas) {
    Matrix matrix = new Matrix();
    getMatrix(matrix);
    canvas.concat(matrix);
  }
}
