// The plain arithmetic behind natives of graphics and input.
package dev.retap.agent.shadow.graphics;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import org.junit.Test;

public class GraphicsArithmeticTest {
  @Test
  public void aPointerThatMovesEvenlyHasItsVelocity() {
    PointerVelocity velocity = new PointerVelocity();
    for (int i = 0; i <= 6; i++) {
      velocity.add(0, 10 * i, 5 * i, -3 * i);
    }
    velocity.compute(1000, Float.MAX_VALUE);
    assertEquals(500, velocity.get(0, -1), 0.5);
    assertEquals(-300, velocity.get(1, 0), 0.5);
    velocity.compute(1000, 100);
    assertEquals(100, velocity.get(0, 0), 0);
  }

  @Test
  public void theNewestSlopeOfAFasterPointerCounts() {
    PointerVelocity velocity = new PointerVelocity();
    for (int i = 0; i <= 5; i++) {
      velocity.add(0, 10 * i, i * i, 0);
    }
    velocity.compute(10, Float.MAX_VALUE);
    assertEquals(10, velocity.get(0, 0), 0.01);
  }

  @Test
  public void aPointerThatStoppedHasNone() {
    PointerVelocity velocity = new PointerVelocity();
    velocity.add(0, 0, 0, 0);
    velocity.add(0, 10, 100, 0);
    velocity.checkStopped(60);
    velocity.compute(1000, Float.MAX_VALUE);
    assertEquals(0, velocity.get(0, 0), 0);
  }

  @Test
  public void aCameraSeesAnUnmovedPlaneAsItIs() {
    assertArrayEquals(new float[] {1, 0, 0, 0, 1, 0, 0, 0, 1}, new View3d().projection(), 1e-6f);
  }

  @Test
  public void whatIsTwiceAsFarIsHalfAsLarge() {
    View3d view = new View3d();
    view.save();
    view.translate(0, 0, 576);
    assertEquals(0.5f, view.projection()[0], 1e-6);
    view.restore();
    view.translate(0, 10, 0);
    assertEquals(-10, view.projection()[5], 1e-6);
  }

  @Test
  public void turningMovesOneSideAway() {
    View3d view = new View3d();
    view.rotateY(60);
    assertEquals(0.5f, view.projection()[0], 1e-6);
    assertEquals(Math.sin(Math.toRadians(60)) / 576, view.projection()[6], 1e-6);
    assertEquals(-0.5f, view.dotWithNormal(0, 0, 1), 1e-6);
  }

  @Test
  public void rightAnglesAreRightAndNoZeroIsNegative() {
    View3d view = new View3d();
    assertArrayEquals(new float[] {1, 0, 0, 0, 1, 0, 0, 0, 1}, view.projection(), 0);
    assertEquals("0.0", String.valueOf(view.projection()[1]));
    assertEquals(0.28f - 0.2008f, view.dotWithNormal(0.1f, 0.28f, 0.2008f), 1e-6);
    view.rotateZ(90);
    assertEquals("0.0", String.valueOf(view.projection()[0]));
  }

  @Test
  public void onlyTheMiddleOfANinePatchStretches() {
    assertArrayEquals(new int[] {0, 2, 10, 12}, NinePatchCells.edges(new int[] {2, 4}, 6, 0, 12));
    assertArrayEquals(new int[] {5, 11, 13}, NinePatchCells.edges(new int[] {0, 4}, 6, 5, 13));
  }

  @Test
  public void whatIsNoGifHasNoTimes() {
    assertNull(GifTimes.read(new byte[20]));
  }
}
