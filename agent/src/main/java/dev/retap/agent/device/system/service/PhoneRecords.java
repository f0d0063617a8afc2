// What a phone keeps of calls and text messages: a message lies in the inbox, unread, and a call
// that has ended in the call log. The phone's own apps write both.
package dev.retap.agent.device.system.service;

import android.content.ContentValues;
import android.net.Uri;
import android.os.SystemClock;
import android.provider.CallLog;
import android.telephony.TelephonyManager;
import dev.retap.agent.world.Blocking;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

public final class PhoneRecords {
  private static final Uri MESSAGES = Uri.parse("content://sms");
  private static final int INBOX = 1;
  private static final int NO_STATUS = -1;

  private final BiConsumer<Uri, ContentValues> table;

  /** Everybody who wrote; a thread is the place here. */
  private final List<String> writers = new ArrayList<>();

  private boolean isRinging;
  private long answeredAt = -1;

  /**
   * @param table adds a row to a provider's table
   */
  public PhoneRecords(BiConsumer<Uri, ContentValues> table) {
    this.table = table;
  }

  void addMessage(String number, String text) {
    if (!writers.contains(number)) {
      writers.add(number);
    }
    ContentValues row = new ContentValues();
    row.put("thread_id", writers.indexOf(number) + 1);
    row.put("address", number);
    row.put("date", now());
    row.put("date_sent", now());
    row.put("protocol", 0);
    row.put("read", 0);
    row.put("seen", 0);
    row.put("status", NO_STATUS);
    row.put("type", INBOX);
    row.put("reply_path_present", 0);
    row.put("body", text);
    row.put("locked", 0);
    row.put("sub_id", 1);
    row.put("error_code", 0);
    row.put("creator", "com.android.messaging");
    table.accept(MESSAGES, row);
  }

  /** Follows a call and writes it down once it has ended. */
  void noteCall(int state, String number) {
    switch (state) {
      case TelephonyManager.CALL_STATE_RINGING -> isRinging = true;
      case TelephonyManager.CALL_STATE_OFFHOOK -> answeredAt = SystemClock.uptimeMillis();
      default -> {
        if (answeredAt >= 0) {
          long seconds = (SystemClock.uptimeMillis() - answeredAt) / 1000;
          addCall(number, CallLog.Calls.INCOMING_TYPE, seconds);
        } else if (isRinging) {
          addCall(number, CallLog.Calls.MISSED_TYPE, 0);
        }
        isRinging = false;
        answeredAt = -1;
      }
    }
  }

  private void addCall(String number, int type, long seconds) {
    ContentValues row = new ContentValues();
    row.put(CallLog.Calls.NUMBER, number);
    row.put(CallLog.Calls.NUMBER_PRESENTATION, CallLog.Calls.PRESENTATION_ALLOWED);
    row.put(CallLog.Calls.TYPE, type);
    row.put(CallLog.Calls.FEATURES, 0);
    row.put(CallLog.Calls.DATE, now() - seconds * 1000);
    row.put(CallLog.Calls.DURATION, seconds);
    row.put(CallLog.Calls.NEW, 1);
    row.put(CallLog.Calls.COUNTRY_ISO, "US");
    table.accept(CallLog.Calls.CONTENT_URI, row);
  }

  private static long now() {
    return Blocking.worldTimeMillis();
  }
}
