// Builds intents from the protocol's description of them.
package dev.retap.agent.device;

import android.content.ComponentName;
import android.content.Intent;
import android.net.Uri;
import dev.retap.agent.wire.Event.IntentSpec;

final class IntentBuilder {
  private IntentBuilder() {}

  /** Returns the intent that the protocol describes. */
  static Intent of(IntentSpec spec) {
    Intent intent = new Intent(spec.action().isEmpty() ? null : spec.action());
    Uri data = spec.data().isEmpty() ? null : Uri.parse(spec.data());
    intent.setDataAndType(data, spec.type().isEmpty() ? null : spec.type());
    spec.categories().forEach(intent::addCategory);
    if (!spec.component().isEmpty()) {
      intent.setComponent(ComponentName.unflattenFromString(spec.component()));
    }
    spec.extras().forEach(extra -> putExtra(intent, extra));
    return intent;
  }

  /** Adds an extra written `key=TVALUE`, where T is the type: s, i, l, b or f. */
  private static void putExtra(Intent intent, String extra) {
    int equals = extra.indexOf('=');
    if (equals < 0 || equals + 1 == extra.length()) {
      throw new IllegalArgumentException("extra is not key=TVALUE: " + extra);
    }
    String key = extra.substring(0, equals);
    String value = extra.substring(equals + 2);
    switch (extra.charAt(equals + 1)) {
      case 's' -> intent.putExtra(key, value);
      case 'i' -> intent.putExtra(key, Integer.parseInt(value));
      case 'l' -> intent.putExtra(key, Long.parseLong(value));
      case 'b' -> intent.putExtra(key, Boolean.parseBoolean(value));
      case 'f' -> intent.putExtra(key, Float.parseFloat(value));
      default -> throw new IllegalArgumentException("extra of unknown type: " + extra);
    }
  }
}
