// Pages become text with parts, however careless their HTML is.
package dev.retap.agent.device.web;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import dev.retap.agent.device.web.Page.Kind;
import java.util.List;
import org.junit.Test;

public class PageParserTest {
  @Test
  public void blocksAreLinesAndWhiteSpaceCollapses() {
    Page page = PageParser.parse("<title> A &amp;\n B </title><p>One\n  two</p><div>three</div>");
    assertEquals("A &\n B", page.title());
    assertEquals("One two\nthree\n", page.text());
  }

  @Test
  public void linksStandApartFromTheTextAroundThem() {
    Page page = PageParser.parse("<p>See <a href='next.html'>the <b>next</b> page</a>.");
    assertEquals(List.of("See", "the next page", "."), texts(page));
    assertEquals(Kind.LINK, page.parts().get(1).kind());
    assertEquals("next.html", page.parts().get(1).target());
  }

  @Test
  public void scriptsAndStylesAreNotShown() {
    Page page = PageParser.parse("<style>p{}</style><script>var a = '<p>no</p>';</script>yes");
    assertEquals(List.of("yes"), texts(page));
    assertNull(page.title());
  }

  @Test
  public void aPictureInsideALinkIsALink() {
    Page page = PageParser.parse("<a href='x'><img src='a.png' alt='Photo'></a>");
    assertEquals(Kind.LINK, page.parts().get(0).kind());
    assertEquals(List.of("Photo"), texts(page));
  }

  @Test
  public void formsShowTheirFieldsAndButtons() {
    Page page =
        PageParser.parse(
            "<form><input placeholder='Name'><input type=hidden value=1>"
                + "<input type=submit value=Send></form>");
    assertEquals(List.of("Name", "Send"), texts(page));
    assertEquals(Kind.FIELD, page.parts().get(0).kind());
    assertEquals(Kind.BUTTON, page.parts().get(1).kind());
  }

  @Test
  public void tagsThatAreNeverClosedDoNotMatter() {
    assertEquals(
        List.of("a", "b"),
        texts(PageParser.parse("<ul><li>a<li>b")).stream()
            .map(text -> text.replace("• ", ""))
            .toList());
  }

  private static List<String> texts(Page page) {
    return page.parts().stream().map(page::textOf).toList();
  }
}
