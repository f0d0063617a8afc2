// Which of the characters that a field accepts a key types. Robolectric answers none, so that no
// digit of a keyboard enters a field of numbers.
package dev.retap.agent.shadow.input;

import android.view.KeyCharacterMap;
import android.view.KeyEvent;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowKeyCharacterMap;

@Implements(KeyCharacterMap.class)
public class KeyCharacterMapShadow extends ShadowKeyCharacterMap {
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
