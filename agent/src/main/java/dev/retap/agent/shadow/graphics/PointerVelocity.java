// The velocity of pointers, as Android's native tracker computes it: a curve of second degree is
// fitted to the last tenth of a second of each pointer, and its slope at the newest point counts.
package dev.retap.agent.shadow.graphics;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

final class PointerVelocity {
  private static final int HORIZON_MILLIS = 100;
  private static final int MOST_POINTS = 20;

  /** A pointer that did not move for so long has stopped. */
  private static final int STOPPED_MILLIS = 40;

  private record Point(long millis, float x, float y) {}

  private final Map<Integer, Deque<Point>> pointers = new TreeMap<>();
  private final Map<Integer, float[]> computed = new TreeMap<>();
  private int active = -1;
  private long last;

  void clear() {
    pointers.clear();
    active = -1;
  }

  void forget(int pointer) {
    pointers.remove(pointer);
    active = pointer == active ? -1 : active;
  }

  /** Forgets everything if nothing moved lately. */
  void checkStopped(long millis) {
    if (millis - last >= STOPPED_MILLIS) {
      int former = active;
      clear();
      active = former;
    }
  }

  void add(int pointer, long millis, float x, float y) {
    Deque<Point> points = pointers.computeIfAbsent(pointer, id -> new ArrayDeque<>());
    active = active < 0 ? pointer : active;
    last = millis;
    if (!points.isEmpty() && points.getLast().millis() == millis) {
      points.removeLast();
    }
    points.addLast(new Point(millis, x, y));
    while (points.size() > MOST_POINTS || millis - points.getFirst().millis() > HORIZON_MILLIS) {
      points.removeFirst();
    }
  }

  /**
   * Computes the velocities that are asked for afterwards.
   *
   * @param units milliseconds that a velocity is about
   */
  void compute(int units, float most) {
    computed.clear();
    pointers.forEach(
        (id, points) -> {
          List<Point> all = new ArrayList<>(points);
          computed.put(
              id,
              new float[] {
                clamp(slope(all, true) * units, most), clamp(slope(all, false) * units, most)
              });
        });
  }

  /** Returns the velocity along x (0) or y (1); pointer -1 is the active one. */
  float get(int axis, int pointer) {
    float[] velocity = computed.get(pointer < 0 ? active : pointer);
    return velocity == null ? 0 : velocity[axis];
  }

  private static float clamp(float value, float most) {
    return Math.max(-most, Math.min(most, value));
  }

  /** Returns the slope in pixels a millisecond at the newest point. */
  private static float slope(List<Point> points, boolean alongX) {
    int count = points.size();
    if (count < 2) {
      return 0;
    }
    Point newest = points.get(count - 1);
    double[] t = new double[5];
    double[] v = new double[3];
    for (Point point : points) {
      double time = point.millis() - newest.millis();
      double value = alongX ? point.x() - newest.x() : point.y() - newest.y();
      double power = 1;
      for (int i = 0; i < 5; i++) {
        t[i] += power;
        if (i < 3) {
          v[i] += power * value;
        }
        power *= time;
      }
    }
    double determinant = determinant(t[0], t[1], t[2], t[1], t[2], t[3], t[2], t[3], t[4]);
    if (count == 2 || Math.abs(determinant) < 1e-9) {
      return (float) ((t[0] * v[1] - t[1] * v[0]) / (t[0] * t[2] - t[1] * t[1]));
    }
    return (float)
        (determinant(t[0], v[0], t[2], t[1], v[1], t[3], t[2], v[2], t[4]) / determinant);
  }

  private static double determinant(
      double a, double b, double c, double d, double e, double f, double g, double h, double i) {
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  }
}
