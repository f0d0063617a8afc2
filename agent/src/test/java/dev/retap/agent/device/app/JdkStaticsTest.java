// What an app sets in the JDK does not reach its next process.
package dev.retap.agent.device.app;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;

import java.net.CookieHandler;
import java.net.CookieManager;
import java.net.HttpURLConnection;
import java.net.URL;
import java.security.Provider;
import java.security.Security;
import java.util.Locale;
import java.util.TimeZone;
import org.junit.Test;

public final class JdkStaticsTest {
  @Test
  public void defaultsAreAsBefore() {
    Locale locale = Locale.getDefault();
    TimeZone zone = TimeZone.getDefault();
    JdkStatics statics = new JdkStatics();
    Locale.setDefault(new Locale("xx"));
    TimeZone.setDefault(TimeZone.getTimeZone("GMT+3"));
    CookieHandler.setDefault(new CookieManager());
    HttpURLConnection.setFollowRedirects(false);
    System.setProperty("of.the.app", "set");
    System.clearProperty("line.separator");
    statics.restore();
    assertEquals(locale, Locale.getDefault());
    assertEquals(zone, TimeZone.getDefault());
    assertNull(CookieHandler.getDefault());
    assertEquals(true, HttpURLConnection.getFollowRedirects());
    assertNull(System.getProperty("of.the.app"));
    assertEquals("\n", System.getProperty("line.separator"));
  }

  @Test
  public void aFactoryOfUrlsCanBeSetInEachProcess() {
    JdkStatics statics = new JdkStatics();
    for (int process = 0; process < 2; process++) {
      URL.setURLStreamHandlerFactory(protocol -> null);
      statics.restore();
    }
  }

  @Test
  public void providersAreAsBefore() {
    JdkStatics statics = new JdkStatics();
    Provider[] before = Security.getProviders();
    Security.insertProviderAt(new Provider("Mine", "1", "a provider of the app") {}, 1);
    assertNotSame(before[0], Security.getProviders()[0]);
    statics.restore();
    assertSame(before[0], Security.getProviders()[0]);
  }
}
