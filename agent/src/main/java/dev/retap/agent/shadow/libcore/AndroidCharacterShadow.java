// Directions, widths and mirror images of characters, which a phone asks of ICU.
package dev.retap.agent.shadow.libcore;

import android.text.AndroidCharacter;
import com.ibm.icu.lang.UCharacter;
import com.ibm.icu.lang.UProperty;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;

@Implements(AndroidCharacter.class)
public class AndroidCharacterShadow {
  @Implementation
  protected static void getDirectionalities(char[] from, byte[] to, int count) {
    checkRange(from, 0, count);
    if (count > to.length) {
      throw new ArrayIndexOutOfBoundsException();
    }
    for (int i = 0; i < count; i++) {
      boolean isPair =
          i + 1 < count
              && Character.isHighSurrogate(from[i])
              && Character.isLowSurrogate(from[i + 1]);
      to[i] = Character.getDirectionality(isPair ? Character.codePointAt(from, i) : from[i]);
      if (isPair) {
        to[i + 1] = to[i];
        i++;
      }
    }
  }

  @Implementation
  protected static int getEastAsianWidth(char c) {
    return UCharacter.getIntPropertyValue(c, UProperty.EAST_ASIAN_WIDTH);
  }

  @Implementation
  protected static void getEastAsianWidths(char[] from, int start, int count, byte[] to) {
    checkRange(from, start, count);
    if (count > to.length) {
      throw new ArrayIndexOutOfBoundsException();
    }
    for (int i = 0; i < count; i++) {
      to[i] = (byte) getEastAsianWidth(from[start + i]);
    }
  }

  @Implementation
  protected static boolean mirror(char[] text, int start, int count) {
    checkRange(text, start, count);
    boolean changed = false;
    for (int i = start; i < start + count; i++) {
      char mirrored = getMirror(text[i]);
      changed |= mirrored != text[i];
      text[i] = mirrored;
    }
    return changed;
  }

  @Implementation
  protected static char getMirror(char c) {
    return (char) UCharacter.getMirror(c);
  }

  private static void checkRange(char[] text, int start, int count) {
    if (start < 0 || count < 0 || start + count < 0 || start + count > text.length) {
      throw new ArrayIndexOutOfBoundsException();
    }
  }
}
