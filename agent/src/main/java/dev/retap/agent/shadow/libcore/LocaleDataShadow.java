// The words and signs of a language that the framework's own formats use: names of months and days,
// patterns, separators. On a phone they come from ICU's native half, here from ICU's Java half.
// Robolectric answers in English for every language.
package dev.retap.agent.shadow.libcore;

import com.ibm.icu.text.DateFormat;
import com.ibm.icu.text.DateFormatSymbols;
import com.ibm.icu.text.DateTimePatternGenerator;
import com.ibm.icu.text.DecimalFormat;
import com.ibm.icu.text.DecimalFormatSymbols;
import com.ibm.icu.text.NumberFormat;
import com.ibm.icu.text.RelativeDateTimeFormatter;
import com.ibm.icu.text.SimpleDateFormat;
import com.ibm.icu.util.Calendar;
import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.util.ReflectionHelpers;

@Implements(className = "libcore.icu.LocaleData", isInAndroidSdk = false)
public class LocaleDataShadow {
  private static final Map<Locale, Object> KNOWN = new HashMap<>();

  @Implementation
  protected static synchronized Object get(Locale locale) {
    Locale asked = locale == null ? Locale.getDefault() : locale;
    return KNOWN.computeIfAbsent(asked, LocaleDataShadow::create);
  }

  private static Object create(Locale locale) {
    try {
      Class<?> type = Class.forName("libcore.icu.LocaleData");
      Object data = ReflectionHelpers.callConstructor(type);
      Map<String, Object> values = LocaleWords.of(locale);
      for (Field field : type.getFields()) {
        if (values.containsKey(field.getName())) {
          field.set(data, fitting(field.getType(), values.get(field.getName())));
        }
      }
      return data;
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("this Android keeps the words of languages elsewhere", e);
    }
  }

  /** Signs are characters in some Androids and texts in others. */
  private static Object fitting(Class<?> type, Object value) {
    if (type == char.class && value instanceof String text) {
      return text.isEmpty() ? ' ' : text.charAt(0);
    }
    return type == String.class && value != null ? value.toString() : value;
  }

  /** The values by name of their field; an Android has some of them. */
  private static final class LocaleWords {
    private static final int[] STYLES = {
      DateFormat.FULL, DateFormat.LONG, DateFormat.MEDIUM, DateFormat.SHORT
    };

    private static final String[] STYLE_NAMES = {"full", "long", "medium", "short"};

    static Map<String, Object> of(Locale locale) {
      Map<String, Object> values = new HashMap<>();
      addCalendar(values, locale);
      addPatterns(values, locale);
      addNumbers(values, locale);
      return values;
    }

    private static void addCalendar(Map<String, Object> values, Locale locale) {
      Calendar calendar = Calendar.getInstance(locale);
      values.put("firstDayOfWeek", calendar.getFirstDayOfWeek());
      values.put("minimalDaysInFirstWeek", calendar.getMinimalDaysInFirstWeek());
      DateFormatSymbols symbols = DateFormatSymbols.getInstance(locale);
      values.put("amPm", symbols.getAmPmStrings());
      values.put("narrowAm", symbols.getAmPmStrings()[0]);
      values.put("narrowPm", symbols.getAmPmStrings()[1]);
      values.put("eras", symbols.getEras());
      int[] widths = {
        DateFormatSymbols.WIDE, DateFormatSymbols.ABBREVIATED, DateFormatSymbols.NARROW
      };
      String[] names = {"long", "short", "tiny"};
      for (int i = 0; i < widths.length; i++) {
        int inText = DateFormatSymbols.FORMAT;
        int alone = DateFormatSymbols.STANDALONE;
        values.put(names[i] + "MonthNames", symbols.getMonths(inText, widths[i]));
        values.put(names[i] + "StandAloneMonthNames", symbols.getMonths(alone, widths[i]));
        values.put(names[i] + "WeekdayNames", symbols.getWeekdays(inText, widths[i]));
        values.put(names[i] + "StandAloneWeekdayNames", symbols.getWeekdays(alone, widths[i]));
      }
      RelativeDateTimeFormatter days = RelativeDateTimeFormatter.getInstance(locale);
      values.put("yesterday", relative(days, RelativeDateTimeFormatter.Direction.LAST));
      values.put("today", relative(days, RelativeDateTimeFormatter.Direction.THIS));
      values.put("tomorrow", relative(days, RelativeDateTimeFormatter.Direction.NEXT));
    }

    private static String relative(
        RelativeDateTimeFormatter days, RelativeDateTimeFormatter.Direction direction) {
      return days.format(direction, RelativeDateTimeFormatter.AbsoluteUnit.DAY);
    }

    private static void addPatterns(Map<String, Object> values, Locale locale) {
      for (int i = 0; i < STYLES.length; i++) {
        values.put(
            STYLE_NAMES[i] + "DateFormat", pattern(DateFormat.getDateInstance(STYLES[i], locale)));
        values.put(
            STYLE_NAMES[i] + "TimeFormat", pattern(DateFormat.getTimeInstance(STYLES[i], locale)));
      }
      DateTimePatternGenerator patterns = DateTimePatternGenerator.getInstance(locale);
      for (String skeleton : new String[] {"hm", "Hm", "hms", "Hms"}) {
        values.put("timeFormat_" + skeleton, patterns.getBestPattern(skeleton));
      }
    }

    private static String pattern(DateFormat format) {
      return ((SimpleDateFormat) format).toPattern();
    }

    private static void addNumbers(Map<String, Object> values, Locale locale) {
      DecimalFormatSymbols symbols = DecimalFormatSymbols.getInstance(locale);
      values.put("zeroDigit", symbols.getZeroDigit());
      values.put("decimalSeparator", symbols.getDecimalSeparator());
      values.put("groupingSeparator", symbols.getGroupingSeparator());
      values.put("patternSeparator", symbols.getPatternSeparator());
      values.put("percent", symbols.getPercentString());
      values.put("perMill", symbols.getPerMillString());
      values.put("monetarySeparator", symbols.getMonetaryDecimalSeparator());
      values.put("minusSign", symbols.getMinusSignString());
      values.put("exponentSeparator", symbols.getExponentSeparator());
      values.put("infinity", symbols.getInfinity());
      values.put("NaN", symbols.getNaN());
      values.put("currencySymbol", symbols.getCurrencySymbol());
      values.put("internationalCurrencySymbol", symbols.getInternationalCurrencySymbol());
      values.put("numberPattern", pattern(NumberFormat.getNumberInstance(locale)));
      values.put("integerPattern", pattern(NumberFormat.getIntegerInstance(locale)));
      values.put("currencyPattern", pattern(NumberFormat.getCurrencyInstance(locale)));
      values.put("percentPattern", pattern(NumberFormat.getPercentInstance(locale)));
    }

    private static String pattern(NumberFormat format) {
      return ((DecimalFormat) format).toPattern();
    }
  }
}
