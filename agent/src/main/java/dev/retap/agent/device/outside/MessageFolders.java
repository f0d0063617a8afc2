// The addresses of text messages: every message lies in one table, and inbox, sent, drafts and the
// others are parts of it by their type.
package dev.retap.agent.device.outside;

import android.content.ContentValues;
import android.net.Uri;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

final class MessageFolders {
  private static final String MESSAGES = "sms";
  private static final List<String> AUTHORITIES = List.of(MESSAGES, "mms", "mms-sms");
  private static final String CONVERSATIONS = "conversations";

  /** Telephony.TextBasedSmsColumns.TYPE of a folder's messages. */
  private static final Map<String, Integer> TYPES =
      Map.of("inbox", 1, "sent", 2, "draft", 3, "outbox", 4, "failed", 5, "queued", 6);

  private MessageFolders() {}

  /** Only the app for messages can change them. Others are not told that nothing happens. */
  static boolean isReadOnly(Uri uri) {
    return AUTHORITIES.contains(uri.getAuthority());
  }

  /** Returns true if the Uri is a part of the messages instead of a folder of its own. */
  static boolean isPart(Uri uri) {
    List<String> path = uri.getPathSegments();
    return MESSAGES.equals(uri.getAuthority())
        && !path.isEmpty()
        && (TYPES.containsKey(path.get(0)) || path.get(0).equals(CONVERSATIONS));
  }

  /** Returns the rows of a part. */
  static List<ContentValues> select(Uri part, List<ContentValues> messages) {
    List<String> path = part.getPathSegments();
    if (path.get(0).equals(CONVERSATIONS)) {
      return path.size() == 1
          ? List.copyOf(conversations(messages).values())
          : where(messages, row -> row.getAsString("thread_id").equals(path.get(1)));
    }
    int type = TYPES.get(path.get(0));
    return where(
        messages,
        row ->
            row.getAsInteger("type") == type
                && (path.size() == 1 || row.getAsString("_id").equals(path.get(1))));
  }

  private static List<ContentValues> where(
      List<ContentValues> messages, Predicate<ContentValues> condition) {
    return messages.stream().filter(condition).toList();
  }

  /** One row for each thread: the number of its messages and the text of the last. */
  private static Map<String, ContentValues> conversations(List<ContentValues> messages) {
    Map<String, ContentValues> threads = new LinkedHashMap<>();
    for (ContentValues message : messages) {
      ContentValues thread =
          threads.computeIfAbsent(message.getAsString("thread_id"), id -> new ContentValues());
      Integer count = thread.getAsInteger("msg_count");
      thread.put("thread_id", message.getAsLong("thread_id"));
      thread.put("msg_count", count == null ? 1 : count + 1);
      thread.put("snippet", message.getAsString("body"));
    }
    return threads;
  }
}
