// Writes regions to parcels as their rectangles.
package dev.retap.agent.shadow.parcel;

import static org.robolectric.util.reflector.Reflector.reflector;

import android.graphics.Rect;
import android.graphics.Region;
import android.graphics.RegionIterator;
import android.os.Parcel;
import java.util.ArrayList;
import java.util.List;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowNativeRegion;
import org.robolectric.util.reflector.ForType;
import org.robolectric.util.reflector.Static;

@Implements(value = Region.class, isInAndroidSdk = false, callNativeMethodsByDefault = true)
public class RegionShadow extends ShadowNativeRegion {
  private static final int UNION = 2;

  @Implementation
  protected static boolean nativeWriteToParcel(long region, Parcel parcel) {
    List<Rect> parts = new ArrayList<>();
    Iterators iterators = reflector(Iterators.class);
    long iterator = iterators.nativeConstructor(region);
    for (Rect part = new Rect(); iterators.nativeNext(iterator, part); part = new Rect()) {
      parts.add(part);
    }
    iterators.nativeDestructor(iterator);
    parcel.writeInt(parts.size());
    for (Rect part : parts) {
      part.writeToParcel(parcel, 0);
    }
    return true;
  }

  @Implementation
  protected static long nativeCreateFromParcel(Parcel parcel) {
    Regions regions = reflector(Regions.class);
    long region = regions.nativeConstructor();
    for (int left = parcel.readInt(); left > 0 && parcel.dataAvail() > 0; left--) {
      Rect part = Rect.CREATOR.createFromParcel(parcel);
      regions.nativeOp(region, part.left, part.top, part.right, part.bottom, UNION);
    }
    return region;
  }

  @ForType(Region.class)
  private interface Regions {
    @Static
    long nativeConstructor();

    @Static
    boolean nativeOp(long region, int left, int top, int right, int bottom, int how);
  }

  @ForType(RegionIterator.class)
  private interface Iterators {
    @Static
    long nativeConstructor(long region);

    @Static
    boolean nativeNext(long iterator, Rect part);

    @Static
    void nativeDestructor(long iterator);
  }
}
