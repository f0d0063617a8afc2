// Reads HTML into a page, as leniently as browsers do. TagSoup, which Android itself has for
// Html.fromHtml, balances the tags.
package dev.retap.agent.device.web;

import dev.retap.agent.device.web.Page.Kind;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.ccil.cowan.tagsoup.HTMLSchema;
import org.ccil.cowan.tagsoup.Parser;
import org.xml.sax.Attributes;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

final class PageParser extends DefaultHandler {
  private static final Set<String> HIDDEN =
      Set.of("script", "style", "noscript", "template", "head", "select", "textarea", "iframe");

  private static final Set<String> INLINE =
      Set.of(
          "a", "abbr", "b", "big", "button", "cite", "code", "em", "font", "i", "img", "input",
          "kbd", "label", "mark", "s", "small", "span", "strike", "strong", "sub", "sup", "tt", "u",
          "var", "wbr");

  /** The schema is large and does not change. */
  private static final HTMLSchema SCHEMA = new HTMLSchema();

  private final StringBuilder text = new StringBuilder();
  private final List<Page.Part> parts = new ArrayList<>();
  private StringBuilder title;
  private boolean inTitle;
  private int hidden;
  private Kind kind = Kind.TEXT;
  private String target;
  private int partStart;

  private PageParser() {}

  static Page parse(String html) {
    PageParser reader = new PageParser();
    Parser parser = new Parser();
    try {
      parser.setProperty(Parser.schemaProperty, SCHEMA);
      parser.setContentHandler(reader);
      parser.parse(new InputSource(new StringReader(html)));
    } catch (SAXException e) {
      throw new IllegalStateException("HTML has no syntax errors", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    reader.endPart();
    String title = reader.title == null ? null : reader.title.toString().strip();
    return new Page(title, reader.text.toString(), reader.parts);
  }

  /** Returns a page that is plain text. */
  static Page plain(String text) {
    return new Page(null, text, List.of(new Page.Part(Kind.TEXT, 0, text.length(), null)));
  }

  @Override
  public void startElement(String uri, String local, String name, Attributes attributes) {
    String tag = local.toLowerCase(Locale.ROOT);
    if (tag.equals("title")) {
      inTitle = title == null;
      title = title == null ? new StringBuilder() : title;
    }
    if (HIDDEN.contains(tag)) {
      hidden++;
    }
    if (hidden > 0) {
      return;
    }
    if (!INLINE.contains(tag)) {
      breakLine();
    }
    switch (tag) {
      case "a" ->
          begin(
              attributes.getValue("href") == null ? Kind.TEXT : Kind.LINK,
              attributes.getValue("href"));
      case "button" -> begin(Kind.BUTTON, null);
      case "h1", "h2", "h3", "h4", "h5", "h6" -> begin(Kind.HEADING, null);
      case "img" -> insert(Kind.IMAGE, attributes.getValue("alt"));
      case "input" -> input(attributes);
      case "li" -> append("• ");
      default -> {
        // Other elements only hold text.
      }
    }
  }

  @Override
  public void endElement(String uri, String local, String name) {
    String tag = local.toLowerCase(Locale.ROOT);
    if (tag.equals("title")) {
      inTitle = false;
    }
    if (HIDDEN.contains(tag)) {
      hidden--;
      return;
    }
    if (hidden > 0) {
      return;
    }
    switch (tag) {
      case "a", "button", "h1", "h2", "h3", "h4", "h5", "h6" -> begin(Kind.TEXT, null);
      default -> {
        // Nothing changes its kind.
      }
    }
    if (!INLINE.contains(tag)) {
      breakLine();
    }
  }

  @Override
  public void characters(char[] characters, int start, int length) {
    String added = new String(characters, start, length);
    if (inTitle) {
      title.append(added);
    } else if (hidden == 0) {
      append(added);
    }
  }

  private void input(Attributes attributes) {
    String type = String.valueOf(attributes.getValue("type")).toLowerCase(Locale.ROOT);
    String value = attributes.getValue("value");
    switch (type) {
      case "hidden" -> {}
      case "submit", "button", "reset" -> insert(Kind.BUTTON, value == null ? "Submit" : value);
      default -> {
        String hint = attributes.getValue("placeholder");
        endPart();
        target = hint;
        kind = Kind.FIELD;
        append(value != null ? value : hint != null ? hint : "____");
        begin(Kind.TEXT, null);
      }
    }
  }

  /** Adds a part that is one element, with a text of its own. */
  private void insert(Kind inserted, String content) {
    if (content == null || content.isBlank()) {
      return;
    }
    Kind outer = kind;
    String outerTarget = target;
    // A picture inside a link is a link with the picture's text.
    if (outer == Kind.LINK) {
      append(content);
      return;
    }
    begin(inserted, null);
    append(content);
    begin(outer, outerTarget);
  }

  private void begin(Kind next, String nextTarget) {
    endPart();
    kind = next;
    target = nextTarget;
  }

  private void endPart() {
    int end = text.length();
    while (end > partStart && Character.isWhitespace(text.charAt(end - 1))) {
      end--;
    }
    int start = partStart;
    while (start < end && Character.isWhitespace(text.charAt(start))) {
      start++;
    }
    if (start < end) {
      parts.add(new Page.Part(kind, start, end, target));
    }
    partStart = text.length();
  }

  private void breakLine() {
    endPart();
    if (text.length() > 0 && text.charAt(text.length() - 1) != '\n') {
      text.append('\n');
    }
    partStart = text.length();
  }

  /** Adds text; any run of white space is one space, and a line begins with none. */
  private void append(String added) {
    for (int i = 0; i < added.length(); i++) {
      char c = added.charAt(i);
      boolean space = c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
      boolean afterSpace =
          text.length() == 0
              || text.charAt(text.length() - 1) == ' '
              || text.charAt(text.length() - 1) == '\n';
      if (!space) {
        text.append(c);
      } else if (!afterSpace) {
        text.append(' ');
      }
    }
  }
}
