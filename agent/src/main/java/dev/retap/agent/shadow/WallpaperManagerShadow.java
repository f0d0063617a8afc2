// Gives the phone a wallpaper, as every phone has one: of one colour until the app sets another.
package dev.retap.agent.shadow;

import android.app.WallpaperManager;
import android.content.res.Resources;
import android.graphics.Bitmap;
import android.graphics.Color;
import android.graphics.drawable.BitmapDrawable;
import android.graphics.drawable.Drawable;
import android.util.DisplayMetrics;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowWallpaperManager;

@Implements(WallpaperManager.class)
public class WallpaperManagerShadow extends ShadowWallpaperManager {
  @Implementation
  protected Drawable getDrawable() {
    return new BitmapDrawable(Resources.getSystem(), wallpaper());
  }

  @Implementation
  protected Drawable peekDrawable() {
    return getDrawable();
  }

  @Implementation
  protected Drawable getFastDrawable() {
    return getDrawable();
  }

  @Implementation
  protected Drawable peekFastDrawable() {
    return getDrawable();
  }

  @Implementation
  protected Drawable getBuiltInDrawable() {
    return getDrawable();
  }

  private Bitmap wallpaper() {
    Bitmap set = getBitmap(WallpaperManager.FLAG_SYSTEM);
    if (set != null) {
      return set;
    }
    DisplayMetrics display = Resources.getSystem().getDisplayMetrics();
    Bitmap plain =
        Bitmap.createBitmap(display.widthPixels, display.heightPixels, Bitmap.Config.RGB_565);
    plain.eraseColor(Color.DKGRAY);
    return plain;
  }
}
