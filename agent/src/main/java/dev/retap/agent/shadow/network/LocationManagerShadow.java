// A phone whose place nobody knows yet. Who asks for it needs the permission.
package dev.retap.agent.shadow.network;

import android.Manifest.permission;
import android.app.PendingIntent;
import android.content.Context;
import android.content.pm.PackageManager;
import android.location.Location;
import android.location.LocationListener;
import android.location.LocationManager;
import android.os.Looper;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowLocationManager;

@Implements(LocationManager.class)
public class LocationManagerShadow extends ShadowLocationManager {
  @Override
  @Implementation
  protected Location getLastKnownLocation(String provider) {
    checkPermission(provider);
    return super.getLastKnownLocation(provider);
  }

  @Override
  @Implementation
  protected void requestLocationUpdates(
      String provider, long minMillis, float minMetres, LocationListener listener) {
    checkPermission(provider);
    super.requestLocationUpdates(provider, minMillis, minMetres, listener);
  }

  @Override
  @Implementation
  protected void requestLocationUpdates(
      String provider, long minMillis, float minMetres, LocationListener listener, Looper looper) {
    checkPermission(provider);
    super.requestLocationUpdates(provider, minMillis, minMetres, listener, looper);
  }

  @Override
  @Implementation
  protected void requestLocationUpdates(
      String provider, long minMillis, float minMetres, PendingIntent intent) {
    checkPermission(provider);
    super.requestLocationUpdates(provider, minMillis, minMetres, intent);
  }

  private static void checkPermission(String provider) {
    boolean isFine = has(permission.ACCESS_FINE_LOCATION);
    boolean needsFine =
        LocationManager.GPS_PROVIDER.equals(provider)
            || LocationManager.PASSIVE_PROVIDER.equals(provider);
    if (isFine || has(permission.ACCESS_COARSE_LOCATION) && !needsFine) {
      return;
    }
    throw new SecurityException(
        "\""
            + provider
            + "\" location provider requires "
            + (needsFine ? "" : "ACCESS_COARSE_LOCATION or ")
            + "ACCESS_FINE_LOCATION permission.");
  }

  private static boolean has(String permission) {
    Context app = RuntimeEnvironment.getApplication();
    return app.checkCallingOrSelfPermission(permission) == PackageManager.PERMISSION_GRANTED;
  }
}
