// The MIME types of the system providers' Uris, which decide which apps can show them.
package dev.retap.agent.device.outside;

import android.content.UriMatcher;
import android.net.Uri;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

final class StockMimeTypes {
  private static final String DIR = "vnd.android.cursor.dir/";
  private static final String ITEM = "vnd.android.cursor.item/";

  /** Authority, path and type; `#` stands for a number, `*` for any one segment. */
  private record UriType(String authority, String path, String type) {}

  private static final List<UriType> TYPES =
      List.of(
          new UriType("com.android.contacts", "contacts", DIR + "contact"),
          new UriType("com.android.contacts", "contacts/#", ITEM + "contact"),
          new UriType("com.android.contacts", "contacts/lookup/*", ITEM + "contact"),
          new UriType("com.android.contacts", "contacts/lookup/*/#", ITEM + "contact"),
          new UriType("com.android.contacts", "raw_contacts", DIR + "raw_contact"),
          new UriType("com.android.contacts", "raw_contacts/#", ITEM + "raw_contact"),
          new UriType("com.android.contacts", "data/phones", DIR + "phone_v2"),
          new UriType("com.android.contacts", "data/phones/#", ITEM + "phone_v2"),
          new UriType("com.android.contacts", "data/emails", DIR + "email_v2"),
          new UriType("com.android.contacts", "data/emails/#", ITEM + "email_v2"),
          new UriType("com.android.contacts", "data/postals", DIR + "postal-address_v2"),
          new UriType("contacts", "people", DIR + "person"),
          new UriType("contacts", "people/#", ITEM + "person"),
          new UriType("contacts", "phones", DIR + "phone"),
          new UriType("contacts", "phones/#", ITEM + "phone"),
          new UriType("call_log", "calls", DIR + "calls"),
          new UriType("call_log", "calls/#", ITEM + "calls"),
          new UriType("com.android.calendar", "events", DIR + "event"),
          new UriType("com.android.calendar", "events/#", ITEM + "event"),
          new UriType("com.android.calendar", "time/#", "time/epoch"),
          new UriType("media", "*/images/media", DIR + "image"),
          new UriType("media", "*/images/media/#", "image/jpeg"),
          new UriType("media", "*/video/media", DIR + "video"),
          new UriType("media", "*/video/media/#", "video/mp4"),
          new UriType("media", "*/audio/media", DIR + "audio"),
          new UriType("media", "*/audio/media/#", "audio/mpeg"),
          new UriType("com.android.externalstorage.documents", "document/*", "text/plain"));

  private static final UriMatcher MATCHER = new UriMatcher(UriMatcher.NO_MATCH);

  static {
    for (int i = 0; i < TYPES.size(); i++) {
      MATCHER.addURI(TYPES.get(i).authority, TYPES.get(i).path, i);
    }
  }

  private StockMimeTypes() {}

  /** Returns the type of the Uri, or null if it is unknown. */
  static String of(Uri uri) {
    int match = MATCHER.match(uri);
    return match < 0 ? null : TYPES.get(match).type;
  }

  /** Returns the authorities that have Uris whose type matches the pattern. */
  static Set<String> authorities(String pattern) {
    String prefix = pattern.endsWith("*") ? pattern.substring(0, pattern.length() - 1) : pattern;
    Set<String> authorities = new LinkedHashSet<>();
    for (UriType entry : TYPES) {
      if (pattern.endsWith("*") ? entry.type.startsWith(prefix) : entry.type.equals(pattern)) {
        authorities.add(entry.authority);
      }
    }
    return authorities;
  }
}
