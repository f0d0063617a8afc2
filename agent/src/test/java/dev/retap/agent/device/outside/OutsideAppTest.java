// Stand-in apps take the intents that their notation lists.
package dev.retap.agent.device.outside;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import android.content.Intent;
import android.content.IntentFilter;
import android.net.Uri;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.annotation.Config;

@RunWith(RobolectricTestRunner.class)
@Config(sdk = 30)
public class OutsideAppTest {
  @Test
  public void theNotationIsRead() {
    OutsideApp app = OutsideApp.parse("org.web=view,edit;http,https;text/*");
    assertEquals("org.web", app.name());
    assertEquals(List.of("view", "edit"), app.actions());
    assertEquals(List.of("http", "https"), app.schemes());
    assertEquals(List.of("text/*"), app.types());
  }

  @Test
  public void anAppWithoutAPackageIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> OutsideApp.parse("view;http"));
    assertThrows(IllegalArgumentException.class, () -> OutsideApp.parse("=view"));
  }

  @Test
  public void theLabelIsTheLastPartOfThePackageWithoutDigits() {
    assertEquals("Camera", OutsideApp.parse("com.android.camera2=").label());
    assertEquals("Gallery", OutsideApp.parse("com.android.gallery3d=").label());
  }

  @Test
  public void actionSchemeAndTypeMustAllMatch() {
    OutsideApp app = OutsideApp.parse("org.web=view;http;text/*");
    Uri web = Uri.parse("http://example.org");
    assertTrue(app.takes(new Intent("view").setDataAndType(web, "text/html")));
    assertFalse(app.takes(new Intent("edit").setDataAndType(web, "text/html")));
    assertFalse(app.takes(new Intent("view").setDataAndType(web, "image/png")));
    assertFalse(app.takes(new Intent("view").setData(web)));
    assertFalse(app.takes(new Intent("view").setDataAndType(Uri.parse("tel:1"), "text/html")));
  }

  @Test
  public void anIntentForAnotherPackageIsNotTaken() {
    OutsideApp app = OutsideApp.parse("org.web=view");
    assertTrue(app.takes(new Intent("view").setPackage("org.web")));
    assertFalse(app.takes(new Intent("view").setPackage("org.other")));
  }

  @Test
  public void aPatternStandsForTheActionsOfTheFramework() throws Exception {
    OutsideApp settings = OutsideApp.parse("com.android.settings=android.settings.*");
    IntentFilter filter = settings.filters().get(0);
    assertTrue(filter.hasAction("android.settings.WIFI_SETTINGS"));
    assertFalse(filter.hasAction(Intent.ACTION_VIEW));
  }

  @Test
  public void anAppThatTakesAnythingHasAFilterWithTypesAndOneWithout() throws Exception {
    assertEquals(2, OutsideApp.parse("org.any=view").filters().size());
  }

  @Test
  public void aTypeOfASystemProviderAddsAFilterForItsContent() throws Exception {
    List<IntentFilter> filters = OutsideApp.parse("org.images=view;;image/*").filters();
    IntentFilter content = filters.get(filters.size() - 1);
    assertTrue(content.hasDataScheme("content"));
    assertTrue(content.hasDataAuthority(Uri.parse("content://media/external/images/media/1")));
  }

  @Test
  public void changesAddAndRemoveStockApps() {
    String contacts = "com.android.contacts";
    assertTrue(StockApps.with(List.of()).stream().anyMatch(app -> app.name().equals(contacts)));
    assertFalse(
        StockApps.with(List.of("-" + contacts)).stream()
            .anyMatch(app -> app.name().equals(contacts)));
    List<OutsideApp> alone = StockApps.with(List.of("none", "org.web=view"));
    assertEquals(List.of("org.web"), alone.stream().map(OutsideApp::name).toList());
  }

  @Test
  public void urisOfSystemProvidersHaveTypes() {
    assertEquals(
        "vnd.android.cursor.item/contact",
        StockMimeTypes.of(Uri.parse("content://com.android.contacts/contacts/3")));
    assertEquals(null, StockMimeTypes.of(Uri.parse("content://nobody/3")));
  }
}
