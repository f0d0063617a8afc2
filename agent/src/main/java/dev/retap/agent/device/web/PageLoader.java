// Loads pages and tells the web view's clients, in the order in which a phone does. Clients are
// called from the looper, never inside the call that asks for the page.
package dev.retap.agent.device.web;

import android.graphics.Bitmap;
import android.net.Uri;
import android.os.Build;
import android.os.Handler;
import android.os.Looper;
import android.webkit.WebChromeClient;
import android.webkit.WebResourceRequest;
import android.webkit.WebResourceResponse;
import android.webkit.WebView;
import android.webkit.WebViewClient;
import java.io.IOException;
import java.util.function.Consumer;

final class PageLoader {
  private static final int REQUEST_MILLIS = 10;
  private static final int ANSWER_MILLIS = 30;

  private final WebView view;
  private final Consumer<Page> shown;
  private final Handler handler = new Handler(Looper.myLooper());
  private WebViewClient client;
  private WebChromeClient chrome;
  private int loads;
  private int progress = 100;

  /**
   * @param shown gets each page that was loaded
   */
  PageLoader(WebView view, Consumer<Page> shown) {
    this.view = view;
    this.shown = shown;
  }

  void setClient(WebViewClient client) {
    this.client = client;
  }

  WebViewClient client() {
    return client;
  }

  void setChrome(WebChromeClient chrome) {
    this.chrome = chrome;
  }

  WebChromeClient chrome() {
    return chrome;
  }

  int progress() {
    return progress;
  }

  void post(Runnable action) {
    handler.post(action);
  }

  /** Gives up what is being loaded. */
  void stop() {
    loads++;
    progress = 100;
  }

  void load(History.Entry entry, boolean again) {
    int load = ++loads;
    progress = 0;
    later(load, REQUEST_MILLIS, () -> request(load, entry, again));
  }

  private void request(int load, History.Entry entry, boolean again) {
    setProgress(10);
    if (entry.content != null) {
      begin(load, entry, again, PageSource.Answer.of(PageSource.page(entry.content, entry.type)));
    } else if (client != null && overrides("shouldInterceptRequest")) {
      // The app answers on a thread of the browser.
      new Thread(
              () -> {
                WebResourceResponse response = intercept(entry.address);
                PageSource.Answer answer = answer(response, entry.address);
                later(load, 0, () -> begin(load, entry, again, answer));
              },
              "ThreadPoolForeg")
          .start();
    } else {
      begin(load, entry, again, PageSource.open(view.getContext(), entry.address));
    }
  }

  private void begin(int load, History.Entry entry, boolean again, PageSource.Answer answer) {
    if (client != null) {
      client.onPageStarted(view, entry.address, (Bitmap) null);
    }
    if (client != null && load == loads) {
      client.onLoadResource(view, entry.address);
    }
    later(load, ANSWER_MILLIS, () -> finish(load, entry, again, answer));
  }

  private void finish(int load, History.Entry entry, boolean again, PageSource.Answer answer) {
    if (answer.error() != 0 && client != null) {
      fail(entry, answer);
    }
    String title = answer.page().title();
    entry.title = title == null || title.isEmpty() ? entry.shownAddress : title;
    shown.accept(answer.page());
    if (client != null && load == loads) {
      client.doUpdateVisitedHistory(view, entry.address, again);
    }
    if (chrome != null && load == loads) {
      chrome.onReceivedTitle(view, entry.title);
    }
    if (client != null && load == loads) {
      client.onPageCommitVisible(view, entry.address);
    }
    if (load == loads) {
      setProgress(100);
    }
    if (client != null && load == loads) {
      client.onPageFinished(view, entry.address);
    }
  }

  /** From API 23 on the client's own code passes an error on to the older method. */
  private void fail(History.Entry entry, PageSource.Answer answer) {
    client.onReceivedError(
        view,
        new PageRequest(Uri.parse(entry.address), false),
        new PageError(answer.error(), answer.description()));
  }

  /** Asks the client whether the app itself goes to the address of a link that was tapped. */
  boolean isTakenByApp(String address) {
    if (client == null) {
      return false;
    }
    return Build.VERSION.SDK_INT >= 24
        ? client.shouldOverrideUrlLoading(view, new PageRequest(Uri.parse(address), true))
        : client.shouldOverrideUrlLoading(view, address);
  }

  private WebResourceResponse intercept(String address) {
    return client.shouldInterceptRequest(view, new PageRequest(Uri.parse(address), false));
  }

  private PageSource.Answer answer(WebResourceResponse response, String address) {
    if (response == null) {
      return PageSource.open(view.getContext(), address);
    }
    try {
      return PageSource.read(response.getData(), response.getMimeType(), response.getEncoding());
    } catch (IOException e) {
      return PageSource.Answer.failure(WebViewClient.ERROR_UNKNOWN, "net::ERR_FAILED");
    }
  }

  private boolean overrides(String method) {
    try {
      Class<?> byRequest =
          client
              .getClass()
              .getMethod(method, WebView.class, WebResourceRequest.class)
              .getDeclaringClass();
      Class<?> byAddress =
          client.getClass().getMethod(method, WebView.class, String.class).getDeclaringClass();
      return byRequest != WebViewClient.class || byAddress != WebViewClient.class;
    } catch (NoSuchMethodException | LinkageError e) {
      return true;
    }
  }

  private void setProgress(int value) {
    progress = value;
    if (chrome != null) {
      chrome.onProgressChanged(view, value);
    }
  }

  /** Runs a step of a load unless another load has begun by then. */
  private void later(int load, int millis, Runnable step) {
    handler.postDelayed(
        () -> {
          if (load == loads) {
            step.run();
          }
        },
        millis);
  }
}
