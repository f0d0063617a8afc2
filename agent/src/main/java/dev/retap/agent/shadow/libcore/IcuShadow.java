// The calls of ICU's native half that Robolectric leaves out or answers for English only.
package dev.retap.agent.shadow.libcore;

import com.ibm.icu.text.DateTimePatternGenerator;
import com.ibm.icu.util.ULocale;
import java.util.Locale;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;

@Implements(className = "libcore.icu.ICU", isInAndroidSdk = false)
public class IcuShadow {
  @Implementation
  protected static String addLikelySubtags(String locale) {
    return ULocale.addLikelySubtags(new ULocale(locale)).getName();
  }

  @Implementation
  protected static String getBestDateTimePattern(String skeleton, Locale locale) {
    return DateTimePatternGenerator.getInstance(locale).getBestPattern(skeleton);
  }
}
