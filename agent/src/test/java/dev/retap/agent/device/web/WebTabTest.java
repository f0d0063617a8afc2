// A web view loads local pages, follows their links, and calls its clients from the looper.
package dev.retap.agent.device.web;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import android.graphics.Bitmap;
import android.os.Looper;
import android.webkit.WebChromeClient;
import android.webkit.WebResourceError;
import android.webkit.WebResourceRequest;
import android.webkit.WebView;
import android.webkit.WebViewClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.Shadows;
import org.robolectric.annotation.Config;

@RunWith(RobolectricTestRunner.class)
@Config(sdk = 30)
public class WebTabTest {
  private final List<String> calls = new ArrayList<>();
  private final WebView view = new WebView(RuntimeEnvironment.getApplication());
  private final WebTab tab = new WebTab(view, view.new PrivateAccess());

  @Test
  public void clientsHearOfAPageAfterTheCallThatLoadsIt() {
    listen();
    tab.loadData("<title>T</title><p>text", "text/html", null);
    assertTrue(calls.isEmpty());
    idle();
    String address = "data:text/html,<title>T</title><p>text";
    assertEquals(List.of("started " + address, "title T", "finished " + address), calls);
    assertEquals("T", tab.getTitle());
    assertEquals(100, tab.getProgress());
  }

  @Test
  public void nothingAnswersOverTheNetwork() {
    listen();
    tab.loadUrl("https://example.org/");
    idle();
    assertEquals(
        List.of(
            "started https://example.org/",
            "error -2",
            "title Webpage not available",
            "finished https://example.org/"),
        calls);
  }

  @Test
  public void theWayBackLeadsToTheFormerPage() {
    tab.loadUrl("data:text/html,one");
    idle();
    assertFalse(tab.canGoBack());
    tab.loadUrl("data:text/html,two");
    idle();
    assertTrue(tab.canGoBack());
    tab.goBack();
    idle();
    assertEquals("data:text/html,one", tab.getUrl());
    assertTrue(tab.canGoForward());
    assertEquals(2, tab.copyBackForwardList().getSize());
  }

  @Test
  public void aNewLoadReplacesOneThatHasNotFinished() {
    listen();
    tab.loadUrl("data:text/html,one");
    tab.loadUrl("about:blank");
    idle();
    assertEquals(3, calls.size());
    assertEquals("finished about:blank", calls.get(2));
  }

  @Test
  public void linksAreRelativeToTheirPage() {
    assertEquals(
        "file:///android_asset/a/c.html",
        WebTab.resolve("file:///android_asset/a/b.html", "c.html"));
    assertEquals("http://h/x?y", WebTab.resolve("http://h/a/b", "/x?y"));
    assertEquals("app:do it", WebTab.resolve("about:blank", "app:do it"));
  }

  private void listen() {
    tab.setWebViewClient(
        new WebViewClient() {
          @Override
          public void onPageStarted(WebView view, String url, Bitmap icon) {
            calls.add("started " + url);
          }

          @Override
          public void onPageFinished(WebView view, String url) {
            calls.add("finished " + url);
          }

          @Override
          public void onReceivedError(
              WebView view, WebResourceRequest request, WebResourceError error) {
            calls.add("error " + error.getErrorCode());
          }
        });
    tab.setWebChromeClient(
        new WebChromeClient() {
          @Override
          public void onReceivedTitle(WebView view, String title) {
            calls.add("title " + title);
          }
        });
  }

  private static void idle() {
    Shadows.shadowOf(Looper.getMainLooper()).idleFor(Duration.ofSeconds(1));
  }
}
