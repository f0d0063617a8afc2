// A page as text with parts: what can be shown of it without a browser engine.
package dev.retap.agent.device.web;

import java.util.List;

/**
 * @param title null if the page has none
 * @param text all text, one line a block
 */
record Page(String title, String text, List<Part> parts) {
  static final Page EMPTY = new Page(null, "", List.of());

  enum Kind {
    TEXT,
    HEADING,
    LINK,
    BUTTON,
    IMAGE,
    FIELD
  }

  /**
   * @param start the first character in the page's text
   * @param end the one after the last
   * @param target the address of a link, as the page writes it, or the hint of a field, or null
   */
  record Part(Kind kind, int start, int end, String target) {}

  String textOf(Part part) {
    return text.substring(part.start(), part.end()).strip();
  }
}
