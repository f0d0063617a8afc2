// Regular expressions as a phone reads them, a case for each difference that docs/libcore.md lists.
package dev.retap.agent.world.libcore;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.junit.Test;

public final class IcuPatternTest {
  @Test
  public void aCommentInParenthesesIsSkipped() {
    assertMatches("a(?#any (text)b", "ab");
    assertMatches("a(?#twice)+", "aa");
    assertRefused("a(?#open", IcuExpression.BAD_PARENTHESES);
  }

  @Test
  public void aSplitAtNothingBeginsWithABlank() {
    Pattern nothing = Pattern.compile("");
    assertArrayEquals(new String[] {"", "a", "b"}, IcuPattern.splitFromBlank(nothing, "ab", 0));
    assertArrayEquals(
        new String[] {"", "a", "b", ""}, IcuPattern.splitFromBlank(nothing, "ab", -1));
    assertArrayEquals(new String[] {"", "ab"}, IcuPattern.splitFromBlank(nothing, "ab", 2));
    Pattern optional = Pattern.compile("x?");
    assertArrayEquals(
        new String[] {"", "a", "", "b"}, IcuPattern.splitFromBlank(optional, "axb", 0));
  }

  @Test
  public void classesAreThoseOfUnicode() {
    assertMatches("\\w+", "naïve_Ünï٣");
    assertMatches("\\d+", "٣4");
    assertMatches("\\s", "\u2003");
    assertMatches("[\\w&&[^a]]", "ß");
    assertDiffers("\\W", "é");
    assertFalse(find("\\bt", "été"));
  }

  @Test
  public void caseIsThatOfUnicode() {
    assertTrue(compile("ÄPFEL", Pattern.CASE_INSENSITIVE).matcher("äpfel").matches());
    assertMatches("(?i)привет", "ПРИВЕТ");
    assertMatches("(?i)[а-я]+", "МИР");
  }

  @Test
  public void namedSetsStandInBrackets() {
    assertMatches("[[:alpha:]_]+", "aé_");
    assertMatches("[:digit:]+", "123");
    assertMatches("[[:^digit:]]", "x");
    assertMatches("[[:Lu:][:punct:]]+", "A!É");
  }

  @Test
  public void namesOfPropertiesAreLoose() {
    assertMatches("\\p{Letter}\\p{uppercase letter}\\p{lu}", "aBC");
    assertMatches("\\p{Greek}\\p{script=Han}\\p{IsCyrillic}", "α漢ж");
    assertMatches("\\p{alphabetic}\\p{White_Space}\\p{^L}", "a 1");
    assertMatches("\\P{gc=Number}\\p{InGreek}\\p{javaLowerCase}", "aαb");
    assertMatches("\\p{IsLetter}\\p{IsAlphabetic}\\p{Alpha}", "äöü");
    assertRefused("\\pL", "Incorrect Unicode property");
  }

  @Test
  public void setsAreSubtractedAndIntersected() {
    assertMatches("[a-z--[aeiou]]+", "xyz");
    assertDiffers("[a-z--aeiou]", "e");
    assertDiffers("[[a-z]-[aeiou]]", "e");
    assertMatches("[[a-z]&[aeiou]]+", "aeiou");
    assertDiffers("[[a-z]&&[aeiou]]", "b");
    assertMatches("[^a-z&&[^b]]", "b");
    assertMatches("[\\p{L}--\\p{Lu}--[x]]", "y");
    assertRefused("[--a]", IcuExpression.SYNTAX);
    assertRefused("[a--]", IcuExpression.SYNTAX);
  }

  @Test
  public void dashesAndBracketsThatMeanThemselvesStay() {
    assertMatches("[-a]+[a-]+[\\w-.]+[a-c-9]+", "-aa-x-.c-9");
    assertMatches("[]a]+", "]a");
    assertMatches("[^]a]", "b");
    assertMatches("a]", "a]");
    assertMatches("[a&b]+", "a&b");
    assertMatches("[#$^{}()|.*+?]+", "#$^{}()|.*+?");
    assertMatches("[:;]+", ":;");
  }

  @Test
  public void bracesMustBeEscaped() {
    assertRefused("{name}", IcuExpression.SYNTAX);
    assertRefused("\\{name}", IcuExpression.SYNTAX);
    assertRefused("a{,3}", IcuExpression.BAD_INTERVAL);
    assertRefused("a{x}", IcuExpression.BAD_INTERVAL);
    assertMatches("\\{a{2,3}+\\}", "{aaa}");
  }

  @Test
  public void whatHasNoWidthCannotRepeat() {
    assertRefused("^*", IcuExpression.SYNTAX);
    assertRefused("a\\b+", IcuExpression.SYNTAX);
    assertRefused("(?=a)*", IcuExpression.SYNTAX);
    assertRefused("a**", IcuExpression.SYNTAX);
    assertRefused("a(", IcuExpression.BAD_PARENTHESES);
    assertRefused("a)", IcuExpression.BAD_PARENTHESES);
    assertRefused("[a", "Missing closing bracket in character class");
    assertRefused("[b-a]", "In a character set [x-y], x is greater than y");
  }

  @Test
  public void escapesOfBothKindsWork() {
    assertMatches("\\x41\\x{1F600}\\u00e9\\U0001F600\\u0042", "A😀é😀B");
    assertMatches("\\uD83D\\uDE00", "😀");
    assertMatches("[\\uD83D\\uDE00\\n\\x2d\\0101]+", "😀\n-A");
    assertMatches("\\h\\R\\X\\N{LATIN SMALL LETTER A}", "\t\r\ne\u0301a");
    assertMatches("\\Q[(.\\E+x\\t\\.\\-\\/\\@", "[(..x\t.-/@");
    assertMatches("(?<year>\\d{4})-\\k<year>(a)\\2", "2024-2024aa");
    assertRefused("\\y", IcuExpression.BAD_ESCAPE);
    assertRefused("[\\b]", IcuExpression.BAD_ESCAPE);
    assertRefused("a\\", IcuExpression.BAD_ESCAPE);
  }

  @Test
  public void flagsInsideAnExpression() {
    assertMatches("(?w)a(?iw-x:B)", "ab");
    assertMatches("(?u)ä(?i)Ä", "ää");
    assertMatches("(?x) a b # comment ( \n c", "abc");
    assertMatches("(?x: a [ b c ] ) d", "ab d");
    assertMatches("(?s)a.b(?m-s)^?".replace("^?", ""), "a\nb");
    assertRefused("(?U)a", IcuExpression.BAD_FLAG);
    assertTrue(compile("a b [ c ]", Pattern.COMMENTS).matcher("abc").matches());
  }

  @Test
  public void ordinaryExpressionsKeepTheirMeaning() {
    Matcher url =
        compile("^(https?)://([^/:?#]+)(?::(\\d+))?(/[^?#]*)?$", 0).matcher("http://a.b:80/c");
    assertTrue(url.matches());
    assertEquals("a.b", url.group(2));
    assertMatches("(?<!x)a(?!b)(?<=a)(?=c)c(?>d+)[^\"\\\\]*?\\.", "acdd-.");
    assertMatches("(?:a|b|)*+|$^", "abab");
    assertMatches("", "");
  }

  private static Pattern compile(String expression, int flags) {
    return Pattern.compile(
        IcuPattern.toJdk(expression, flags),
        flags | Pattern.UNICODE_CHARACTER_CLASS | Pattern.UNICODE_CASE);
  }

  private static boolean find(String expression, String text) {
    return compile(expression, 0).matcher(text).find();
  }

  private static void assertMatches(String expression, String text) {
    assertTrue(IcuPattern.toJdk(expression, 0), compile(expression, 0).matcher(text).matches());
  }

  private static void assertDiffers(String expression, String text) {
    assertFalse(IcuPattern.toJdk(expression, 0), compile(expression, 0).matcher(text).matches());
  }

  private static void assertRefused(String expression, String reason) {
    PatternSyntaxException error =
        assertThrows(PatternSyntaxException.class, () -> compile(expression, 0));
    assertEquals(reason, error.getDescription());
    assertEquals(expression, error.getPattern());
  }
}
