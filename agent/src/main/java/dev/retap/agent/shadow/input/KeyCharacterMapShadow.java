// What the keys of a keyboard type, as the phone's own map of a full keyboard has it: which of the
// characters that a field accepts, which number, and what a number pad types.
package dev.retap.agent.shadow.input;

import android.view.KeyCharacterMap;
import android.view.KeyEvent;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowKeyCharacterMap;

@Implements(KeyCharacterMap.class)
public class KeyCharacterMapShadow extends ShadowKeyCharacterMap {
  /** The keys of a number pad from 0 on, in the order of their codes. */
  private static final String NUMBER_PAD = "0123456789/*-+.,\n=()";

  private static final int SHORTCUT_KEYS =
      KeyEvent.META_CTRL_ON | KeyEvent.META_ALT_ON | KeyEvent.META_META_ON;

  private static final String SYMBOLS_OF_NUMBERS = "()#*-+,.':;/";

  /**
   * Types digits of a number pad only while it is locked, as they move the cursor otherwise, and
   * nothing with keys that make a shortcut of it.
   */
  @Implementation
  protected static char nativeGetCharacter(long map, int key, int metaKeys) {
    if ((metaKeys & SHORTCUT_KEYS) != 0) {
      return 0;
    }
    int at = key - KeyEvent.KEYCODE_NUMPAD_0;
    if (at < 0 || at >= NUMBER_PAD.length()) {
      return ShadowKeyCharacterMap.nativeGetCharacter(map, key, metaKeys);
    }
    boolean locked = (metaKeys & KeyEvent.META_NUM_LOCK_ON) != 0;
    return at < 10 && !locked ? 0 : NUMBER_PAD.charAt(at);
  }

  @Implementation
  protected static char nativeGetDisplayLabel(long map, int key) {
    int at = key - KeyEvent.KEYCODE_NUMPAD_0;
    return at < 0 || at >= NUMBER_PAD.length()
        ? ShadowKeyCharacterMap.nativeGetDisplayLabel(map, key)
        : NUMBER_PAD.charAt(at);
  }

  /** Returns the digit that the key can type, else a symbol of phone numbers, else none. */
  @Implementation
  protected static char nativeGetNumber(long map, int key) {
    char symbol = 0;
    for (int metaKeys : new int[] {0, KeyEvent.META_SHIFT_ON, KeyEvent.META_NUM_LOCK_ON}) {
      char typed = nativeGetCharacter(map, key, metaKeys);
      if (typed >= '0' && typed <= '9') {
        return typed;
      }
      if (symbol == 0 && SYMBOLS_OF_NUMBERS.indexOf(typed) >= 0) {
        symbol = typed;
      }
    }
    return symbol;
  }

  /** Returns the character for the meta keys if it is accepted, else any that the key can type. */
  @Implementation
  protected static char nativeGetMatch(long map, int key, char[] accepted, int metaKeys) {
    char[] typed = {
      nativeGetCharacter(map, key, metaKeys),
      nativeGetCharacter(map, key, 0),
      nativeGetCharacter(map, key, KeyEvent.META_SHIFT_ON),
      nativeGetNumber(map, key)
    };
    for (char candidate : typed) {
      for (char each : accepted) {
        if (each == candidate && each != 0) {
          return each;
        }
      }
    }
    return 0;
  }
}
