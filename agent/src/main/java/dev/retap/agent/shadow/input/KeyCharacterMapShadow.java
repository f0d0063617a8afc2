// Finds the character of a set that a key can type, as numeric fields ask for.
package dev.retap.agent.shadow.input;

import android.view.KeyCharacterMap;
import android.view.KeyEvent;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowKeyCharacterMap;

@Implements(KeyCharacterMap.class)
public class KeyCharacterMapShadow extends ShadowKeyCharacterMap {
  /** The character with shift counts first if shift is held, otherwise that without. */
  @Implementation
  protected static char nativeGetMatch(long map, int key, char[] wanted, int meta) {
    char shifted = nativeGetCharacter(map, key, KeyEvent.META_SHIFT_ON);
    char plain = nativeGetCharacter(map, key, 0);
    boolean isShifted = (meta & KeyEvent.META_SHIFT_ON) != 0;
    char first = isShifted ? shifted : plain;
    char second = isShifted ? plain : shifted;
    return contains(wanted, first) ? first : contains(wanted, second) ? second : 0;
  }

  private static boolean contains(char[] wanted, char found) {
    if (found != 0) {
      for (char c : wanted) {
        if (c == found) {
          return true;
        }
      }
    }
    return false;
  }
}
