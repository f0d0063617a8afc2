// Intents find what they find on a phone.
package dev.retap.agent.shadow;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.robolectric.Shadows.shadowOf;

import android.content.ComponentName;
import android.content.ContentProvider;
import android.content.ContentValues;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.database.Cursor;
import android.net.Uri;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.Robolectric;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.annotation.Config;
import org.robolectric.shadows.ShadowPackageManager;

@RunWith(RobolectricTestRunner.class)
@Config(
    sdk = {28, 34},
    shadows = PackageManagerShadow.class)
public class PackageManagerShadowTest {
  private static final String ROWS = "vnd.android.cursor.dir/vnd.retap.row";
  private final Context context = RuntimeEnvironment.getApplication();
  private final ComponentName main = new ComponentName(context.getPackageName(), "app.Main");

  @Before
  public void declareAnActivity() throws Exception {
    ShadowPackageManager packages = shadowOf(context.getPackageManager());
    packages.addActivityIfNotPresent(main);
    packages.addIntentFilterForActivity(main, new IntentFilter(Intent.ACTION_INSERT, ROWS));
    IntentFilter plain = new IntentFilter("plain");
    packages.addIntentFilterForActivity(main, plain);
    Robolectric.setupContentProvider(Rows.class, "rows");
  }

  @Test
  public void theProviderNamesTheType() {
    Intent insert = new Intent(Intent.ACTION_INSERT, Uri.parse("content://rows/1"));
    assertEquals(
        "app.Main", context.getPackageManager().resolveActivity(insert, 0).activityInfo.name);
  }

  @Test
  public void anEmptyIntentFindsNobody() {
    assertNull(context.getPackageManager().resolveActivity(new Intent(), 0));
  }

  public static class Rows extends ContentProvider {
    @Override
    public boolean onCreate() {
      return true;
    }

    @Override
    public String getType(Uri uri) {
      return ROWS;
    }

    @Override
    public Cursor query(Uri uri, String[] columns, String where, String[] with, String order) {
      return null;
    }

    @Override
    public Uri insert(Uri uri, ContentValues values) {
      return null;
    }

    @Override
    public int delete(Uri uri, String where, String[] with) {
      return 0;
    }

    @Override
    public int update(Uri uri, ContentValues values, String where, String[] with) {
      return 0;
    }
  }
}
