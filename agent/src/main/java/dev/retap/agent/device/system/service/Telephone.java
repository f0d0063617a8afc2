// Calls and text messages that come in: it sends the telephony service's broadcasts about them, and
// they are on record afterwards.
package dev.retap.agent.device.system.service;

import android.content.Context;
import android.content.Intent;
import android.telephony.TelephonyManager;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowTelephonyManager;

public final class Telephone {
  private final ShadowTelephonyManager manager;
  private final Broadcasts broadcasts;
  private final PhoneRecords records;

  public Telephone(Context context, Broadcasts broadcasts, PhoneRecords records) {
    this.records = records;
    manager = Shadow.extract(context.getSystemService(Context.TELEPHONY_SERVICE));
    this.broadcasts = broadcasts;
  }

  /**
   * Changes the state of a call.
   *
   * @param state `ringing`, `answered` or `ended`
   */
  void call(String number, String state) {
    switch (state) {
      case "", "ringing" ->
          report(TelephonyManager.CALL_STATE_RINGING, TelephonyManager.EXTRA_STATE_RINGING, number);
      case "answered" ->
          report(TelephonyManager.CALL_STATE_OFFHOOK, TelephonyManager.EXTRA_STATE_OFFHOOK, number);
      case "ended" ->
          report(TelephonyManager.CALL_STATE_IDLE, TelephonyManager.EXTRA_STATE_IDLE, number);
      default -> throw new IllegalArgumentException("no such state of a call: " + state);
    }
  }

  private void report(int state, String name, String number) {
    manager.setCallState(state, number);
    records.noteCall(state, number);
    broadcasts.send(
        new Intent(TelephonyManager.ACTION_PHONE_STATE_CHANGED)
            .putExtra(TelephonyManager.EXTRA_STATE, name)
            .putExtra(TelephonyManager.EXTRA_INCOMING_NUMBER, number),
        false);
  }

  void sms(String number, String text) {
    Intent received = new Intent("android.provider.Telephony.SMS_RECEIVED");
    fill(received, number, text);
    broadcasts.send(received, false);
  }

  /** Puts a message into a broadcast, and on record. */
  void fill(Intent received, String number, String text) {
    records.addMessage(number, text);
    received
        .putExtra("pdus", new Object[] {pdu(number, text)})
        .putExtra("format", "3gpp")
        .putExtra("subscription", 1);
  }

  /** Returns an SMS-DELIVER of 3GPP TS 23.040: sender, a fixed time, text in UCS-2. */
  private static byte[] pdu(String number, String text) {
    String digits = number.replaceAll("[^0-9]", "");
    ByteArrayOutputStream pdu = new ByteArrayOutputStream();
    pdu.write(0); // no service centre
    pdu.write(4); // deliver, no more messages
    pdu.write(digits.length());
    pdu.write(number.startsWith("+") ? 0x91 : 0x81);
    for (int i = 0; i < digits.length(); i += 2) {
      int high = i + 1 < digits.length() ? digits.charAt(i + 1) - '0' : 0xf;
      pdu.write(high << 4 | digits.charAt(i) - '0');
    }
    pdu.write(0); // protocol
    pdu.write(8); // UCS-2
    pdu.writeBytes(new byte[] {0x42, 0x10, 0x10, 0x00, 0x00, 0x00, 0x00}); // 2024-01-01
    byte[] body =
        text.substring(0, Math.min(70, text.length())).getBytes(StandardCharsets.UTF_16BE);
    pdu.write(body.length);
    pdu.writeBytes(body);
    return pdu.toByteArray();
  }
}
