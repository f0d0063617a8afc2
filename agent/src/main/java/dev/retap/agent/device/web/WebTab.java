// What is behind one web view: its page, history, clients and settings. Its methods are those of
// WebViewProvider.
package dev.retap.agent.device.web;

import android.app.Activity;
import android.content.ActivityNotFoundException;
import android.content.Intent;
import android.net.Uri;
import android.os.Bundle;
import android.os.Message;
import android.webkit.ValueCallback;
import android.webkit.WebBackForwardList;
import android.webkit.WebChromeClient;
import android.webkit.WebSettings;
import android.webkit.WebView;
import android.webkit.WebViewClient;
import android.webkit.WebViewProvider;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.robolectric.fakes.RoboWebSettings;

@SuppressWarnings("unused")
final class WebTab {
  private static final String SAVED = "retap.web.addresses";
  private static final String SAVED_INDEX = "retap.web.index";

  private final WebView view;
  private final WebSettings settings = new RoboWebSettings();
  private final Map<String, Object> interfaces = new HashMap<>();
  private final History history = new History();
  private final PageLoader loader;
  private final WebTabView shown;
  private WebView.FindListener findListener;
  private boolean paused;

  WebTab(WebView view, WebView.PrivateAccess access) {
    this.view = view;
    shown = new WebTabView(view, access, this::follow);
    loader = new PageLoader(view, shown::show);
  }

  void init(Map<String, Object> javaScriptInterfaces, boolean privateBrowsing) {
    view.setFocusable(true);
    view.setFocusableInTouchMode(true);
    view.setWillNotDraw(false);
    if (javaScriptInterfaces != null) {
      interfaces.putAll(javaScriptInterfaces);
    }
  }

  WebViewProvider.ViewDelegate getViewDelegate() {
    return shown.viewDelegate();
  }

  WebViewProvider.ScrollDelegate getScrollDelegate() {
    return shown.scrollDelegate();
  }

  void loadUrl(String address) {
    loadUrl(address, null);
  }

  /** Loads a page. Scripts do not run. */
  void loadUrl(String address, Map<String, String> headers) {
    if (address == null || address.toLowerCase(Locale.ROOT).startsWith("javascript:")) {
      return;
    }
    visit(new History.Entry(address, address, null, null));
  }

  void postUrl(String address, byte[] data) {
    loadUrl(address, null);
  }

  void loadData(String data, String type, String encoding) {
    String kind = type == null ? "text/html" : type;
    boolean base64 = "base64".equals(encoding);
    loadUrl("data:" + kind + (base64 ? ";base64," : ",") + (data == null ? "" : data));
  }

  void loadDataWithBaseURL(
      String base, String data, String type, String encoding, String historyAddress) {
    String address = base == null || base.isEmpty() ? "about:blank" : base;
    String shownAddress =
        historyAddress == null || historyAddress.isEmpty() ? "about:blank" : historyAddress;
    visit(new History.Entry(address, shownAddress, data == null ? "" : data, type));
  }

  private void visit(History.Entry entry) {
    history.visit(entry);
    loader.load(entry, false);
  }

  /** Follows a link that the user tapped. Without a client another app opens it. */
  private void follow(String target) {
    History.Entry current = history.current();
    String address = resolve(current == null ? "" : current.address, target);
    if (address.startsWith("javascript:") || loader.isTakenByApp(address)) {
      return;
    }
    if (loader.client() != null) {
      loadUrl(address);
    } else if (view.getContext() instanceof Activity activity) {
      try {
        activity.startActivity(
            new Intent(Intent.ACTION_VIEW, Uri.parse(address))
                .addCategory(Intent.CATEGORY_BROWSABLE));
      } catch (ActivityNotFoundException e) {
        // Nobody opens it; a phone does nothing either.
      }
    }
  }

  static String resolve(String base, String target) {
    try {
      return base.startsWith("data:") || base.startsWith("about:")
          ? target
          : java.net
              .URI
              .create(base)
              .resolve(target.strip())
              .toString()
              .replaceFirst("^file:/(?=[^/])", "file:///");
    } catch (IllegalArgumentException e) {
      return target;
    }
  }

  void evaluateJavaScript(String script, ValueCallback<String> callback) {
    if (callback != null) {
      loader.post(() -> callback.onReceiveValue("null"));
    }
  }

  void stopLoading() {
    loader.stop();
  }

  void reload() {
    if (history.current() != null) {
      loader.load(history.current(), true);
    }
  }

  boolean canGoBack() {
    return history.canMove(-1);
  }

  boolean canGoForward() {
    return history.canMove(1);
  }

  boolean canGoBackOrForward(int steps) {
    return history.canMove(steps);
  }

  void goBack() {
    goBackOrForward(-1);
  }

  void goForward() {
    goBackOrForward(1);
  }

  void goBackOrForward(int steps) {
    if (steps != 0 && history.canMove(steps)) {
      loader.load(history.move(steps), false);
    }
  }

  WebBackForwardList copyBackForwardList() {
    return history.copy();
  }

  void clearHistory() {
    history.clear();
  }

  WebBackForwardList saveState(Bundle state) {
    if (history.index() < 0) {
      return null;
    }
    state.putStringArrayList(SAVED, history.addresses());
    state.putInt(SAVED_INDEX, history.index());
    return history.copy();
  }

  WebBackForwardList restoreState(Bundle state) {
    List<String> addresses = state == null ? null : state.getStringArrayList(SAVED);
    if (addresses == null) {
      return null;
    }
    history.restore(addresses, state.getInt(SAVED_INDEX));
    reload();
    return history.copy();
  }

  String getUrl() {
    return history.current() == null ? null : history.current().shownAddress;
  }

  String getOriginalUrl() {
    return getUrl();
  }

  String getTitle() {
    return history.current() == null ? "" : history.current().title;
  }

  int getProgress() {
    return loader.progress();
  }

  int getContentHeight() {
    return shown.contentHeight();
  }

  int getContentWidth() {
    return view.getWidth();
  }

  void setWebViewClient(WebViewClient client) {
    loader.setClient(client);
  }

  /** Returns the client, or what a phone gives for none: one that does nothing. */
  WebViewClient getWebViewClient() {
    return loader.client() == null ? new WebViewClient() : loader.client();
  }

  void setWebChromeClient(WebChromeClient client) {
    loader.setChrome(client);
  }

  WebChromeClient getWebChromeClient() {
    return loader.chrome();
  }

  WebSettings getSettings() {
    return settings;
  }

  /** Keeps the object; no script will ask for it. */
  void addJavascriptInterface(Object object, String name) {
    interfaces.put(name, object);
  }

  void removeJavascriptInterface(String name) {
    interfaces.remove(name);
  }

  void setFindListener(WebView.FindListener listener) {
    findListener = listener;
  }

  int findAll(String text) {
    findAllAsync(text);
    return shown.count(text);
  }

  void findAllAsync(String text) {
    int found = shown.count(text);
    if (findListener != null) {
      WebView.FindListener listener = findListener;
      loader.post(() -> listener.onFindResultReceived(0, found, true));
    }
  }

  void insertVisualStateCallback(long id, WebView.VisualStateCallback callback) {
    loader.post(() -> callback.onComplete(id));
  }

  void documentHasImages(Message answer) {
    answer.arg1 = shown.hasImages() ? 1 : 0;
    answer.sendToTarget();
  }

  void destroy() {
    loader.stop();
    loader.setClient(null);
    loader.setChrome(null);
  }

  void onPause() {
    paused = true;
  }

  void onResume() {
    paused = false;
  }

  boolean isPaused() {
    return paused;
  }

  void clearView() {
    loadUrl("about:blank");
  }

  /** Scrolls by a screen, or to the end. */
  boolean pageUp(boolean top) {
    return shown.scroll(top ? Integer.MIN_VALUE / 2 : -view.getHeight());
  }

  boolean pageDown(boolean bottom) {
    return shown.scroll(bottom ? Integer.MAX_VALUE / 2 : view.getHeight());
  }

  void flingScroll(int x, int y) {
    shown.scroll(y / 4);
  }

  float getScale() {
    return view.getResources().getDisplayMetrics().density;
  }

  WebView.HitTestResult getHitTestResult() {
    return new WebView.HitTestResult();
  }

  boolean isPrivateBrowsingEnabled() {
    return false;
  }

  boolean overlayHorizontalScrollbar() {
    return true;
  }

  boolean overlayVerticalScrollbar() {
    return false;
  }

  int getVisibleTitleHeight() {
    return 0;
  }

  /** Zooming is not possible here. */
  boolean canZoomIn() {
    return false;
  }

  boolean canZoomOut() {
    return false;
  }

  boolean zoomIn() {
    return false;
  }

  boolean zoomOut() {
    return false;
  }

  boolean zoomBy(float factor) {
    return false;
  }

  /** A page of this browser has no icon and no certificate. */
  android.graphics.Bitmap getFavicon() {
    return null;
  }

  String getTouchIconUrl() {
    return null;
  }

  android.net.http.SslCertificate getCertificate() {
    return null;
  }

  String[] getHttpAuthUsernamePassword(String host, String realm) {
    return null;
  }

  boolean showFindDialog(String text, boolean keyboard) {
    return false;
  }
}
