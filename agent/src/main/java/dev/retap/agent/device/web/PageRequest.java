// A page that a web view asks for, as its client sees it.
package dev.retap.agent.device.web;

import android.net.Uri;
import android.webkit.WebResourceRequest;
import java.util.Map;

record PageRequest(Uri address, boolean byTap) implements WebResourceRequest {
  @Override
  public Uri getUrl() {
    return address;
  }

  @Override
  public boolean isForMainFrame() {
    return true;
  }

  @Override
  public boolean isRedirect() {
    return false;
  }

  @Override
  public boolean hasGesture() {
    return byTap;
  }

  @Override
  public String getMethod() {
    return "GET";
  }

  @Override
  public Map<String, String> getRequestHeaders() {
    return Map.of();
  }
}
