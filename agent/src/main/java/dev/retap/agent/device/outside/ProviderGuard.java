// Keeps the system's providers of personal data closed to an app without permission. What the user
// picked in another app stays open.
package dev.retap.agent.device.outside;

import android.net.Uri;
import android.os.Process;
import dev.retap.agent.device.binder.BinderStub;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

final class ProviderGuard {
  /** The class that serves an authority on a phone, and the permissions that it asks for. */
  private record Rule(String provider, String read, String write) {}

  private static final Rule CONTACTS =
      new Rule("com.android.providers.contacts.ContactsProvider2", "CONTACTS", "CONTACTS");
  private static final Rule CALLS =
      new Rule("com.android.providers.contacts.CallLogProvider", "CALL_LOG", "CALL_LOG");
  private static final Rule CALENDAR =
      new Rule("com.android.providers.calendar.CalendarProvider2", "CALENDAR", "CALENDAR");
  private static final Rule MESSAGES =
      new Rule("com.android.providers.telephony.SmsProvider", "SMS", null);

  private static final Map<String, Rule> RULES =
      Map.of(
          "com.android.contacts", CONTACTS,
          "contacts", CONTACTS,
          "call_log", CALLS,
          "com.android.calendar", CALENDAR,
          "calendar", CALENDAR,
          "sms", MESSAGES,
          "mms", MESSAGES,
          "mms-sms", MESSAGES);

  private final Predicate<String> isGranted;
  private final Set<Uri> picked = ConcurrentHashMap.newKeySet();

  ProviderGuard(Predicate<String> isGranted) {
    this.isGranted = isGranted;
  }

  /** Opens an address that the user picked. */
  void open(Uri uri) {
    picked.add(uri);
  }

  /** Throws if the app has no business with this provider at all. */
  void checkOpening(String authority) {
    Rule rule = RULES.get(authority);
    if (rule == null
        || mayRead(rule)
        || mayWrite(rule)
        || picked.stream().anyMatch(uri -> authority.equals(uri.getAuthority()))) {
      return;
    }
    throw BinderStub.refuse(
        "Permission Denial: opening provider %s from ProcessRecord (pid=%d, uid=%d) requires %s"
            .formatted(
                rule.provider,
                Process.myPid(),
                Process.myUid(),
                rule.write == null
                    ? permission("READ_", rule.read)
                    : permission("READ_", rule.read) + " or " + permission("WRITE_", rule.write)));
  }

  void checkReading(Uri uri) {
    Rule rule = RULES.get(uri.getAuthority());
    if (rule != null && !mayRead(rule) && !isPicked(uri)) {
      throw denied("reading", rule, uri, permission("READ_", rule.read));
    }
  }

  void checkWriting(Uri uri) {
    Rule rule = RULES.get(uri.getAuthority());
    if (rule != null && rule.write != null && !mayWrite(rule)) {
      throw denied("writing", rule, uri, permission("WRITE_", rule.write));
    }
  }

  private boolean isPicked(Uri uri) {
    return picked.contains(uri.buildUpon().clearQuery().fragment(null).build());
  }

  private boolean mayRead(Rule rule) {
    return isGranted.test(permission("READ_", rule.read));
  }

  /** Only the app for messages can write them, but others are not told. */
  private boolean mayWrite(Rule rule) {
    return rule.write != null && isGranted.test(permission("WRITE_", rule.write));
  }

  private static SecurityException denied(String what, Rule rule, Uri uri, String permission) {
    return BinderStub.refuse(
        "Permission Denial: %s %s uri %s from pid=%d, uid=%d requires %s, or grantUriPermission()"
            .formatted(what, rule.provider, uri, Process.myPid(), Process.myUid(), permission));
  }

  private static String permission(String kind, String name) {
    return "android.permission." + kind + name;
  }
}
