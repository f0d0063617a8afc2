// The factory that android.webkit asks for web views. The framework's own WebView runs; behind it
// is this browser instead of Chromium, which is native code.
package dev.retap.agent.device.web;

import android.content.Context;
import android.content.Intent;
import android.net.Uri;
import android.os.Build;
import android.webkit.CookieManager;
import android.webkit.ValueCallback;
import android.webkit.WebStorage;
import android.webkit.WebView;
import android.webkit.WebViewDatabase;
import android.webkit.WebViewFactory;
import android.webkit.WebViewFactoryProvider;
import android.webkit.WebViewProvider;
import dev.retap.agent.device.reflect.FrameworkFields;
import java.util.List;
import org.robolectric.fakes.RoboWebSettings;

public final class Browser {
  private Browser() {}

  /** Makes this browser the one of a new process. */
  public static void install() {
    RoboWebSettings.setDefaultUserAgentOverride(userAgent());
    FrameworkFields.setStatic(
        WebViewFactory.class,
        "sProviderInstance",
        ProviderProxy.of(WebViewFactoryProvider.class, new Factory()));
  }

  private static String userAgent() {
    return "Mozilla/5.0 (Linux; Android "
        + Build.VERSION.RELEASE
        + "; "
        + Build.MODEL
        + " Build/"
        + Build.ID
        + "; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/74.0.3729.185 Mobile"
        + " Safari/537.36";
  }

  /** Its methods are those of WebViewFactoryProvider. */
  @SuppressWarnings("unused")
  private static final class Factory {
    WebViewFactoryProvider.Statics getStatics() {
      return ProviderProxy.of(WebViewFactoryProvider.Statics.class, new Statics());
    }

    WebViewProvider createWebView(WebView view, WebView.PrivateAccess access) {
      return ProviderProxy.of(WebViewProvider.class, new WebTab(view, access));
    }

    CookieManager getCookieManager() {
      return CookieManager.getInstance();
    }

    WebStorage getWebStorage() {
      return WebStorage.getInstance();
    }

    WebViewDatabase getWebViewDatabase(Context context) {
      return WebViewDatabase.getInstance(context);
    }

    ClassLoader getWebViewClassLoader() {
      return WebView.class.getClassLoader();
    }
  }

  /** Its methods are those of WebViewFactoryProvider.Statics. */
  @SuppressWarnings("unused")
  private static final class Statics {
    String getDefaultUserAgent(Context context) {
      return userAgent();
    }

    /** Returns null: no text is recognised as a postal address. */
    String findAddress(String text) {
      return null;
    }

    Uri[] parseFileChooserResult(int result, Intent intent) {
      boolean chosen = result == android.app.Activity.RESULT_OK && intent != null;
      return chosen && intent.getData() != null ? new Uri[] {intent.getData()} : null;
    }

    void initSafeBrowsing(Context context, ValueCallback<Boolean> callback) {
      answer(callback);
    }

    void setSafeBrowsingWhitelist(List<String> hosts, ValueCallback<Boolean> callback) {
      answer(callback);
    }

    Uri getSafeBrowsingPrivacyPolicyUrl() {
      return Uri.parse("https://www.google.com/intl/en/policies/privacy/");
    }

    void clearClientCertPreferences(Runnable done) {
      if (done != null) {
        new android.os.Handler(android.os.Looper.getMainLooper()).post(done);
      }
    }

    private static void answer(ValueCallback<Boolean> callback) {
      if (callback != null) {
        new android.os.Handler(android.os.Looper.getMainLooper())
            .post(() -> callback.onReceiveValue(true));
      }
    }
  }
}
