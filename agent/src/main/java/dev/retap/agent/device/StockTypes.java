// The MIME types the system's providers give their Uris, which decide who can show them.
package dev.retap.agent.device;

import android.content.UriMatcher;
import android.net.Uri;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

final class StockTypes {
  private static final String DIR = "vnd.android.cursor.dir/";
  private static final String ITEM = "vnd.android.cursor.item/";

  /** Authority, path and type; `#` is a number, `*` any one segment. */
  private static final List<String[]> TYPES =
      List.of(
          type("com.android.contacts", "contacts", DIR + "contact"),
          type("com.android.contacts", "contacts/#", ITEM + "contact"),
          type("com.android.contacts", "contacts/lookup/*", ITEM + "contact"),
          type("com.android.contacts", "contacts/lookup/*/#", ITEM + "contact"),
          type("com.android.contacts", "raw_contacts", DIR + "raw_contact"),
          type("com.android.contacts", "raw_contacts/#", ITEM + "raw_contact"),
          type("com.android.contacts", "data/phones", DIR + "phone_v2"),
          type("com.android.contacts", "data/phones/#", ITEM + "phone_v2"),
          type("com.android.contacts", "data/emails", DIR + "email_v2"),
          type("com.android.contacts", "data/emails/#", ITEM + "email_v2"),
          type("com.android.contacts", "data/postals", DIR + "postal-address_v2"),
          type("contacts", "people", DIR + "person"),
          type("contacts", "people/#", ITEM + "person"),
          type("contacts", "phones", DIR + "phone"),
          type("contacts", "phones/#", ITEM + "phone"),
          type("call_log", "calls", DIR + "calls"),
          type("call_log", "calls/#", ITEM + "calls"),
          type("com.android.calendar", "events", DIR + "event"),
          type("com.android.calendar", "events/#", ITEM + "event"),
          type("com.android.calendar", "time/#", "time/epoch"),
          type("media", "*/images/media", DIR + "image"),
          type("media", "*/images/media/#", "image/jpeg"),
          type("media", "*/video/media", DIR + "video"),
          type("media", "*/video/media/#", "video/mp4"),
          type("media", "*/audio/media", DIR + "audio"),
          type("media", "*/audio/media/#", "audio/mpeg"),
          type("com.android.externalstorage.documents", "document/*", "text/plain"));

  private static final UriMatcher MATCHER = new UriMatcher(UriMatcher.NO_MATCH);

  static {
    for (int i = 0; i < TYPES.size(); i++) {
      MATCHER.addURI(TYPES.get(i)[0], TYPES.get(i)[1], i);
    }
  }

  private StockTypes() {}

  static String of(Uri uri) {
    int match = MATCHER.match(uri);
    return match < 0 ? null : TYPES.get(match)[2];
  }

  /** Whose Uris have a type that matches the pattern. */
  static Set<String> authorities(String pattern) {
    String prefix = pattern.endsWith("*") ? pattern.substring(0, pattern.length() - 1) : pattern;
    Set<String> authorities = new LinkedHashSet<>();
    for (String[] type : TYPES) {
      if (pattern.endsWith("*") ? type[2].startsWith(prefix) : type[2].equals(pattern)) {
        authorities.add(type[0]);
      }
    }
    return authorities;
  }

  private static String[] type(String authority, String path, String type) {
    return new String[] {authority, path, type};
  }
}
