// Why a page could not be loaded, as the web view's client sees it.
package dev.retap.agent.device.web;

import android.webkit.WebResourceError;

final class PageError extends WebResourceError {
  private final int code;
  private final String description;

  PageError(int code, String description) {
    this.code = code;
    this.description = description;
  }

  @Override
  public int getErrorCode() {
    return code;
  }

  @Override
  public CharSequence getDescription() {
    return description;
  }
}
