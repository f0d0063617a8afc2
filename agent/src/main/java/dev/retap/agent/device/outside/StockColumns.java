// The columns of the system providers' tables: what a query without a projection shows, also of an
// empty table. Most are the constants of the framework's own contracts, so that they are those of
// the API level.
package dev.retap.agent.device.outside;

import android.net.Uri;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

final class StockColumns {
  private static final String CONTACTS = "android.provider.ContactsContract$";
  private static final String CALENDAR = "android.provider.CalendarContract$";
  private static final String MEDIA = "android.provider.MediaStore$";
  private static final String TELEPHONY = "android.provider.Telephony$";

  /**
   * A table of a provider.
   *
   * @param path the beginning of its path; `*` stands for any one segment
   * @param contracts interfaces whose texts are columns
   * @param columns further columns
   */
  private record Table(
      String authority, String path, List<String> contracts, List<String> columns) {}

  /** The first that fits a Uri is its table. */
  private static final List<Table> TABLES =
      List.of(
          new Table(
              "sms", "conversations", List.of(), List.of("thread_id", "msg_count", "snippet")),
          new Table("sms", "", contracts(TELEPHONY, "TextBasedSmsColumns"), List.of()),
          new Table("mms", "", contracts(TELEPHONY, "BaseMmsColumns"), List.of()),
          new Table("mms-sms", "conversations", contracts(TELEPHONY, "ThreadsColumns"), List.of()),
          new Table(
              "call_log",
              "calls",
              List.of(),
              List.of(
                  "number",
                  "presentation",
                  "date",
                  "duration",
                  "data_usage",
                  "type",
                  "features",
                  "new",
                  "name",
                  "numbertype",
                  "numberlabel",
                  "countryiso",
                  "voicemail_uri",
                  "is_read",
                  "geocoded_location",
                  "lookup_uri",
                  "matched_number",
                  "normalized_number",
                  "photo_id",
                  "photo_uri",
                  "formatted_number",
                  "transcription",
                  "subscription_component_name",
                  "subscription_id",
                  "post_dial_digits",
                  "via_number",
                  "last_modified")),
          new Table(
              "com.android.contacts",
              "raw_contacts",
              contracts(CONTACTS, "RawContactsColumns", "ContactOptionsColumns", "SyncColumns"),
              List.of("display_name", "display_name_alt", "sort_key")),
          new Table(
              "com.android.contacts",
              "data",
              contracts(
                  CONTACTS,
                  "DataColumns",
                  "ContactsColumns",
                  "ContactOptionsColumns",
                  "ContactNameColumns"),
              List.of("contact_id")),
          new Table(
              "com.android.contacts",
              "groups",
              contracts(CONTACTS, "GroupsColumns", "SyncColumns"),
              List.of()),
          new Table(
              "com.android.contacts",
              "phone_lookup",
              contracts(CONTACTS, "PhoneLookupColumns", "ContactsColumns", "ContactOptionsColumns"),
              List.of()),
          new Table(
              "com.android.contacts",
              "contacts",
              contracts(
                  CONTACTS,
                  "ContactsColumns",
                  "ContactOptionsColumns",
                  "ContactNameColumns",
                  "ContactStatusColumns"),
              List.of()),
          new Table(
              "com.android.calendar",
              "calendars",
              contracts(CALENDAR, "CalendarColumns", "CalendarSyncColumns", "SyncColumns"),
              List.of()),
          new Table(
              "com.android.calendar",
              "events",
              contracts(CALENDAR, "EventsColumns", "CalendarColumns", "SyncColumns"),
              List.of()),
          new Table(
              "com.android.calendar",
              "instances",
              contracts(CALENDAR, "EventsColumns", "CalendarColumns"),
              List.of(
                  "begin", "end", "event_id", "startDay", "endDay", "startMinute", "endMinute")),
          new Table(
              "com.android.calendar",
              "attendees",
              contracts(CALENDAR, "AttendeesColumns", "EventsColumns"),
              List.of()),
          new Table(
              "com.android.calendar",
              "reminders",
              contracts(CALENDAR, "RemindersColumns", "EventsColumns"),
              List.of()),
          new Table("media", "*/images", media("Images$ImageColumns"), List.of()),
          new Table("media", "*/video", media("Video$VideoColumns"), List.of()),
          new Table("media", "*/audio/albums", contracts(MEDIA, "Audio$AlbumColumns"), List.of()),
          new Table("media", "*/audio/artists", contracts(MEDIA, "Audio$ArtistColumns"), List.of()),
          new Table("media", "*/audio/genres", contracts(MEDIA, "Audio$GenresColumns"), List.of()),
          new Table(
              "media", "*/audio/playlists", contracts(MEDIA, "Audio$PlaylistsColumns"), List.of()),
          new Table("media", "*/audio", media("Audio$AudioColumns"), List.of()),
          new Table("media", "*/file", media("Files$FileColumns"), List.of()),
          new Table("media", "*/downloads", media("DownloadColumns"), List.of()),
          new Table(
              "user_dictionary",
              "words",
              List.of(),
              List.of("word", "frequency", "locale", "appid", "shortcut")));

  private StockColumns() {}

  /** Returns the columns of the Uri's table besides `_id`; none if the table is not known. */
  static Set<String> of(Uri uri) {
    Set<String> columns = new LinkedHashSet<>();
    for (Table table : TABLES) {
      if (table.authority.equals(uri.getAuthority()) && isBelow(uri.getPathSegments(), table)) {
        table.contracts.forEach(contract -> addTexts(contract, columns));
        columns.addAll(table.columns);
        return columns;
      }
    }
    return columns;
  }

  private static boolean isBelow(List<String> path, Table table) {
    List<String> wanted = table.path.isEmpty() ? List.of() : List.of(table.path.split("/"));
    if (path.size() < wanted.size()) {
      return false;
    }
    for (int i = 0; i < wanted.size(); i++) {
      if (!wanted.get(i).equals("*") && !wanted.get(i).equals(path.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** Adds the texts of an interface and of those it extends. A level may lack it. */
  private static void addTexts(String contract, Set<String> columns) {
    try {
      for (Field field : Class.forName(contract).getFields()) {
        if (field.getType() == String.class && Modifier.isStatic(field.getModifiers())) {
          columns.add((String) field.get(null));
        }
      }
    } catch (ClassNotFoundException e) {
      // The table has the columns of the others.
    } catch (IllegalAccessException e) {
      throw new LinkageError(contract, e);
    }
  }

  private static List<String> contracts(String outer, String... names) {
    return List.of(names).stream().map(name -> outer + name).toList();
  }

  private static List<String> media(String name) {
    return contracts(MEDIA, "MediaColumns", name);
  }
}
