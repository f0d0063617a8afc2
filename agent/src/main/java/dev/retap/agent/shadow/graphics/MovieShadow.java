// Moving GIF pictures: the native half of Movie. Size and times are those of the file; every frame
// looks like the first.
package dev.retap.agent.shadow.graphics;

import android.graphics.Bitmap;
import android.graphics.BitmapFactory;
import android.graphics.Canvas;
import android.graphics.Movie;
import android.graphics.Paint;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

@Implements(Movie.class)
public class MovieShadow {
  private static final AtomicLong LAST = new AtomicLong();

  private GifTimes times;
  private Bitmap picture;
  private int time;
  private int frame;
  private int drawnFrame = -1;

  @Implementation
  protected static Movie decodeByteArray(byte[] data, int offset, int length) {
    byte[] gif = Arrays.copyOfRange(data, offset, offset + length);
    GifTimes times = GifTimes.read(gif);
    if (times == null) {
      return null;
    }
    Movie movie =
        ReflectionHelpers.callConstructor(
            Movie.class, ClassParameter.from(long.class, LAST.incrementAndGet()));
    MovieShadow shadow = Shadow.extract(movie);
    shadow.times = times;
    shadow.picture = BitmapFactory.decodeByteArray(gif, 0, gif.length);
    return movie;
  }

  @Implementation
  protected static Movie decodeStream(InputStream in) {
    try {
      byte[] gif = in == null ? new byte[0] : in.readAllBytes();
      return decodeByteArray(gif, 0, gif.length);
    } catch (IOException e) {
      return null;
    }
  }

  @Implementation
  protected static void nativeDestructor(long id) {}

  @Implementation
  protected int width() {
    return times.width();
  }

  @Implementation
  protected int height() {
    return times.height();
  }

  @Implementation
  protected boolean isOpaque() {
    return false;
  }

  @Implementation
  protected int duration() {
    return times.duration();
  }

  /**
   * Sets the time, which ends with the movie and has no sign, and returns true if it is another one
   * and shows another frame than the one drawn.
   */
  @Implementation
  protected boolean setTime(int millis) {
    int next = Integer.compareUnsigned(millis, duration()) > 0 ? duration() : millis;
    if (next == time) {
      return false;
    }
    time = next;
    frame = times.frameAt(next);
    return frame != drawnFrame;
  }

  @Implementation
  protected void draw(Canvas canvas, float x, float y, Paint paint) {
    drawnFrame = frame;
    if (picture != null) {
      canvas.drawBitmap(picture, x, y, paint);
    }
  }

  @Implementation
  protected void draw(Canvas canvas, float x, float y) {
    draw(canvas, x, y, null);
  }
}
