// A URL of a plain file in the APK, as class loaders give it out; most are service files.
package dev.retap.agent.device.app;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;

final class ApkUrl extends URLStreamHandler {
  private final byte[] content;

  private ApkUrl(byte[] content) {
    this.content = content;
  }

  static URL of(String name, byte[] content) {
    try {
      return new URL("apk", "", -1, "/" + name, new ApkUrl(content));
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(name, e);
    }
  }

  @Override
  protected URLConnection openConnection(URL url) {
    return new URLConnection(url) {
      @Override
      public void connect() {}

      @Override
      public InputStream getInputStream() {
        return new ByteArrayInputStream(content);
      }
    };
  }
}
