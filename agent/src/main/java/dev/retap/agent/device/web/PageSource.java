// Finds the content of an address on the phone itself. Nothing answers over the network.
package dev.retap.agent.device.web;

import android.content.Context;
import android.net.Uri;
import android.webkit.WebViewClient;
import java.io.ByteArrayInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;

final class PageSource {
  private static final String ASSETS = "/android_asset/";
  private static final String RESOURCES = "/android_res/";

  /**
   * @param error WebViewClient's number of what went wrong, or 0
   * @param description Chromium's word for it
   */
  record Answer(Page page, int error, String description) {
    static Answer of(Page page) {
      return new Answer(page, 0, null);
    }

    static Answer failure(int error, String description) {
      return new Answer(
          PageParser.parse(
              "<title>Webpage not available</title><h1>Webpage not available</h1><p>The webpage"
                  + " could not be loaded because:</p><p>"
                  + description
                  + "</p>"),
          error,
          description);
    }
  }

  private PageSource() {}

  static Answer open(Context context, String address) {
    Uri uri = Uri.parse(address);
    String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    try {
      return switch (scheme) {
        case "about" -> Answer.of(Page.EMPTY);
        case "data" -> data(uri.getEncodedSchemeSpecificPart());
        case "file" -> read(file(context, uri.getPath()), type(uri.getPath()), null);
        case "content" ->
            read(
                context.getContentResolver().openInputStream(uri),
                String.valueOf(context.getContentResolver().getType(uri)),
                null);
        case "http", "https", "ftp", "ws", "wss" ->
            Answer.failure(WebViewClient.ERROR_HOST_LOOKUP, "net::ERR_NAME_NOT_RESOLVED");
        default ->
            Answer.failure(WebViewClient.ERROR_UNSUPPORTED_SCHEME, "net::ERR_UNKNOWN_URL_SCHEME");
      };
    } catch (IOException | SecurityException e) {
      return Answer.failure(WebViewClient.ERROR_UNKNOWN, "net::ERR_FILE_NOT_FOUND");
    }
  }

  /** Reads content that is already here; closes the stream. */
  static Answer read(InputStream in, String type, String encoding) throws IOException {
    if (in == null) {
      return Answer.failure(WebViewClient.ERROR_UNKNOWN, "net::ERR_FAILED");
    }
    try (in) {
      return Answer.of(page(new String(in.readAllBytes(), charset(encoding)), type));
    }
  }

  static Page page(String content, String type) {
    String kind = type == null ? "text/html" : type.toLowerCase(Locale.ROOT);
    if (kind.startsWith("image/") || kind.startsWith("audio/") || kind.startsWith("video/")) {
      return Page.EMPTY;
    }
    boolean markup = kind.contains("html") || kind.contains("xml") || kind.equals("null");
    return markup ? PageParser.parse(content) : PageParser.plain(content);
  }

  private static Answer data(String content) throws IOException {
    int comma = content.indexOf(',');
    if (comma < 0) {
      return Answer.failure(WebViewClient.ERROR_UNKNOWN, "net::ERR_INVALID_URL");
    }
    String[] words = content.substring(0, comma).split(";");
    String body = decode(content.substring(comma + 1));
    boolean base64 = words[words.length - 1].equals("base64");
    String text =
        base64 ? new String(Base64.getMimeDecoder().decode(body), StandardCharsets.UTF_8) : body;
    return Answer.of(page(text, words[0].isEmpty() ? "text/plain" : words[0]));
  }

  /** Decodes percent signs where they are meant; pages often contain bare ones. */
  static String decode(String content) {
    try {
      return URLDecoder.decode(content.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return content;
    }
  }

  private static InputStream file(Context context, String path) throws IOException {
    String name = path == null ? "" : path;
    if (name.startsWith(ASSETS)) {
      return context.getAssets().open(name.substring(ASSETS.length()));
    }
    if (name.startsWith(RESOURCES)) {
      return resource(context, name.substring(RESOURCES.length()));
    }
    return new FileInputStream(name);
  }

  /** Opens raw/name.ext or drawable/name.ext. */
  private static InputStream resource(Context context, String path) throws IOException {
    int slash = path.indexOf('/');
    int dot = path.indexOf('.', slash + 1);
    String name = path.substring(slash + 1, dot < 0 ? path.length() : dot);
    String type = slash < 0 ? "raw" : path.substring(0, slash).split("-")[0];
    int id = context.getResources().getIdentifier(name, type, context.getPackageName());
    if (id == 0) {
      throw new IOException(path);
    }
    return context.getResources().openRawResource(id);
  }

  private static String type(String path) {
    String name = String.valueOf(path).toLowerCase(Locale.ROOT);
    if (name.matches(".*\\.(txt|text|log|md|json|js|css|csv)")) {
      return "text/plain";
    }
    return name.matches(".*\\.(png|jpe?g|gif|webp|bmp|svg)") ? "image/any" : "text/html";
  }

  private static Charset charset(String encoding) {
    try {
      return encoding == null ? StandardCharsets.UTF_8 : Charset.forName(encoding);
    } catch (IllegalArgumentException e) {
      return StandardCharsets.UTF_8;
    }
  }

  static InputStream bytes(String content) {
    return new ByteArrayInputStream(content.getBytes(StandardCharsets.UTF_8));
  }
}
