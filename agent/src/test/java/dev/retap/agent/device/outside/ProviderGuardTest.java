// Personal data is closed without permission, except for what the user picked.
package dev.retap.agent.device.outside;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import android.net.Uri;
import java.util.HashSet;
import java.util.Set;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.annotation.Config;

@RunWith(RobolectricTestRunner.class)
@Config(sdk = 30)
public final class ProviderGuardTest {
  private static final String CONTACTS = "com.android.contacts";
  private static final Uri ALL = Uri.parse("content://com.android.contacts/data");
  private static final Uri PICKED = Uri.parse("content://com.android.contacts/data/1");

  private final Set<String> granted = new HashSet<>();
  private final ProviderGuard guard = new ProviderGuard(granted::contains);

  @Test
  public void nothingIsOpenWithoutPermission() {
    SecurityException refused =
        assertThrows(SecurityException.class, () -> guard.checkOpening(CONTACTS));
    assertEquals(
        "requires android.permission.READ_CONTACTS or android.permission.WRITE_CONTACTS",
        refused.getMessage().substring(refused.getMessage().indexOf("requires")));
    guard.checkOpening("settings");
    guard.checkReading(Uri.parse("content://settings/system"));
  }

  @Test
  public void readingAndWritingNeedTheirOwnPermissions() {
    granted.add("android.permission.READ_CONTACTS");
    guard.checkOpening(CONTACTS);
    guard.checkReading(ALL);
    assertThrows(SecurityException.class, () -> guard.checkWriting(ALL));
    granted.add("android.permission.WRITE_CONTACTS");
    guard.checkWriting(ALL);
  }

  @Test
  public void whatTheUserPickedCanBeReadAndNothingElse() {
    guard.open(PICKED);
    guard.checkOpening(CONTACTS);
    guard.checkReading(PICKED.buildUpon().appendQueryParameter("limit", "1").build());
    assertThrows(SecurityException.class, () -> guard.checkReading(ALL));
    assertThrows(SecurityException.class, () -> guard.checkWriting(PICKED));
    assertThrows(SecurityException.class, () -> guard.checkOpening("call_log"));
  }
}
