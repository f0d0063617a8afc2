// The arithmetic of android.graphics.Camera: a plane that is turned and moved in space, and what a
// camera in front of it sees. Units are pixels; the camera is eight inches away, at 72 pixels an
// inch.
package dev.retap.agent.shadow.graphics;

import java.util.ArrayDeque;
import java.util.Deque;

final class View3d {
  private static final float PIXELS_AN_INCH = 72;

  private static final double NEARLY_ZERO = 1.0 / 4096;

  private final Deque<double[]> saved = new ArrayDeque<>();

  /** Three rows of a turn and a movement. */
  private double[] matrix = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

  private double[] location = {0, 0, -8 * PIXELS_AN_INCH};

  void save() {
    saved.push(matrix.clone());
  }

  void restore() {
    if (!saved.isEmpty()) {
      matrix = saved.pop();
    }
  }

  void translate(double x, double y, double z) {
    concat(new double[] {1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z});
  }

  void rotateX(double degrees) {
    double s = snapped(Math.sin(Math.toRadians(degrees)));
    double c = snapped(Math.cos(Math.toRadians(degrees)));
    concat(new double[] {1, 0, 0, 0, 0, c, -s, 0, 0, s, c, 0});
  }

  void rotateY(double degrees) {
    double s = snapped(Math.sin(Math.toRadians(degrees)));
    double c = snapped(Math.cos(Math.toRadians(degrees)));
    concat(new double[] {c, 0, -s, 0, 0, 1, 0, 0, s, 0, c, 0});
  }

  void rotateZ(double degrees) {
    double s = snapped(Math.sin(Math.toRadians(degrees)));
    double c = snapped(Math.cos(Math.toRadians(degrees)));
    concat(new double[] {c, -s, 0, 0, s, c, 0, 0, 0, 0, 1, 0});
  }

  void setLocation(float x, float y, float z) {
    location = new double[] {x * PIXELS_AN_INCH, y * PIXELS_AN_INCH, z * PIXELS_AN_INCH};
  }

  float location(int axis) {
    return (float) (location[axis] / PIXELS_AN_INCH);
  }

  /**
   * Returns how much the plane faces a direction. The middle term is a phone's, which takes the
   * second part of one side where a cross product has the third.
   */
  float dotWithNormal(float x, float y, float z) {
    double[] u = turn(1, 0, 0);
    double[] v = turn(0, -1, 0);
    return (float)
        ((u[1] * v[2] - u[2] * v[1]) * x
            + (u[2] * v[0] - u[0] * v[1]) * y
            + (u[0] * v[1] - u[1] * v[0]) * z);
  }

  /** Returns the nine values of the matrix from the plane to what the camera sees. */
  float[] projection() {
    double[] u = turn(1, 0, 0);
    double[] v = turn(0, -1, 0);
    double[] away = new double[3];
    for (int i = 0; i < 3; i++) {
      away[i] = matrix[4 * i + 3] - location[i];
    }
    double depth = away[2];
    double zoom = -location[2];
    float[] seen = {
      (float) (zoom * u[0] / depth),
      (float) (zoom * v[0] / depth),
      (float) (zoom * away[0] / depth),
      (float) (-zoom * u[1] / depth),
      (float) (-zoom * v[1] / depth),
      (float) (-zoom * away[1] / depth),
      (float) (u[2] / depth),
      (float) (v[2] / depth),
      1
    };
    for (int i = 0; i < seen.length; i++) {
      // No zero is negative.
      seen[i] += 0f;
    }
    return seen;
  }

  /** Returns zero for what is nearly zero, so that right angles are right. */
  private static double snapped(double value) {
    return Math.abs(value) <= NEARLY_ZERO ? 0 : value;
  }

  private double[] turn(double x, double y, double z) {
    double[] turned = new double[3];
    for (int i = 0; i < 3; i++) {
      turned[i] = matrix[4 * i] * x + matrix[4 * i + 1] * y + matrix[4 * i + 2] * z;
    }
    return turned;
  }

  private void concat(double[] next) {
    double[] product = new double[12];
    for (int row = 0; row < 3; row++) {
      for (int column = 0; column < 4; column++) {
        double sum = column == 3 ? matrix[4 * row + 3] : 0;
        for (int k = 0; k < 3; k++) {
          sum += matrix[4 * row + k] * next[4 * k + column];
        }
        product[4 * row + column] = sum;
      }
    }
    matrix = product;
  }
}
