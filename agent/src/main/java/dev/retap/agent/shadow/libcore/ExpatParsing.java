// Parses XML for the framework's SAX reader in place of Expat, which is native. Android's own pull
// parser reads; what the handlers see is what Expat tells them: text comes line by line, and local
// names are there unless namespaces were turned off.
package dev.retap.agent.shadow.libcore;

import android.util.Xml;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import org.apache.harmony.xml.ExpatReader;
import org.xml.sax.Attributes;
import org.xml.sax.ContentHandler;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;
import org.xml.sax.ext.LexicalHandler;
import org.xml.sax.helpers.AttributesImpl;
import org.xml.sax.helpers.DefaultHandler;
import org.xml.sax.helpers.LocatorImpl;
import org.xmlpull.v1.XmlPullParser;
import org.xmlpull.v1.XmlPullParserException;

public final class ExpatParsing {
  private static final String NAMESPACES = "http://xml.org/sax/features/namespaces";
  private static final String LEXICAL = "http://xml.org/sax/properties/lexical-handler";

  private final XmlPullParser in = Xml.newPullParser();
  private final LocatorImpl place = new DocumentPosition();
  private final ContentHandler content;
  private final LexicalHandler lexical;
  private final boolean namespaces;
  private boolean hasElement;

  /** A place in the document, which prints as Expat's does. */
  private static final class DocumentPosition extends LocatorImpl {
    DocumentPosition() {
      setLineNumber(1);
    }

    @Override
    public String toString() {
      return "Locator[publicId: "
          + getPublicId()
          + ", systemId: "
          + getSystemId()
          + ", line: "
          + getLineNumber()
          + ", column: "
          + getColumnNumber()
          + "]";
    }
  }

  private ExpatParsing(ExpatReader reader) throws SAXException {
    content =
        reader.getContentHandler() == null ? new DefaultHandler() : reader.getContentHandler();
    lexical = (LexicalHandler) reader.getProperty(LEXICAL);
    namespaces = reader.getFeature(NAMESPACES);
  }

  /** Replaces the reader's own method. */
  public static void parse(ExpatReader reader, String address) throws IOException, SAXException {
    parse(reader, new InputSource(address));
  }

  /** Replaces the reader's own method. */
  public static void parse(ExpatReader reader, InputSource source)
      throws IOException, SAXException {
    new ExpatParsing(reader).parse(source);
  }

  private void parse(InputSource source) throws IOException, SAXException {
    place.setPublicId(source.getPublicId());
    place.setSystemId(source.getSystemId());
    content.setDocumentLocator(place);
    content.startDocument();
    try {
      in.setFeature(XmlPullParser.FEATURE_PROCESS_NAMESPACES, namespaces);
      in.setFeature(XmlPullParser.FEATURE_PROCESS_DOCDECL, true);
      if (source.getCharacterStream() != null) {
        in.setInput(source.getCharacterStream());
        report();
      } else if (source.getByteStream() != null) {
        in.setInput(source.getByteStream(), source.getEncoding());
        report();
      } else {
        try (InputStream stream = new URL(source.getSystemId()).openStream()) {
          in.setInput(stream, source.getEncoding());
          report();
        }
      }
    } catch (XmlPullParserException | EOFException e) {
      throw error(e.getMessage() == null ? "" : e.getMessage());
    }
    content.endDocument();
  }

  private void report() throws IOException, SAXException, XmlPullParserException {
    for (int type = in.nextToken(); type != XmlPullParser.END_DOCUMENT; type = in.nextToken()) {
      look();
      switch (type) {
        case XmlPullParser.START_TAG -> start();
        case XmlPullParser.END_TAG -> end();
        case XmlPullParser.TEXT, XmlPullParser.ENTITY_REF -> text(in.getText());
        case XmlPullParser.CDSECT -> cdata(in.getText());
        case XmlPullParser.COMMENT -> comment(in.getText());
        case XmlPullParser.PROCESSING_INSTRUCTION -> instruction(in.getText());
        case XmlPullParser.DOCDECL -> doctype();
        default -> {}
      }
    }
    if (!hasElement) {
      throw error("no element found");
    }
  }

  private void start() throws SAXException, XmlPullParserException {
    hasElement = true;
    if (namespaces) {
      int known = in.getNamespaceCount(in.getDepth() - 1);
      for (int i = known; i < in.getNamespaceCount(in.getDepth()); i++) {
        content.startPrefixMapping(prefix(in.getNamespacePrefix(i)), in.getNamespaceUri(i));
      }
    }
    content.startElement(uri(), localName(), qualifiedName(), attributes());
  }

  private void end() throws SAXException, XmlPullParserException {
    content.endElement(uri(), localName(), qualifiedName());
    if (namespaces) {
      int known = in.getNamespaceCount(in.getDepth() - 1);
      for (int i = in.getNamespaceCount(in.getDepth()) - 1; i >= known; i--) {
        content.endPrefixMapping(prefix(in.getNamespacePrefix(i)));
      }
    }
  }

  private Attributes attributes() {
    AttributesImpl attributes = new AttributesImpl();
    for (int i = 0; i < in.getAttributeCount(); i++) {
      String name = in.getAttributeName(i);
      String prefix = in.getAttributePrefix(i);
      attributes.addAttribute(
          namespaces ? in.getAttributeNamespace(i) : "",
          namespaces ? name : "",
          prefix == null || prefix.isEmpty() ? name : prefix + ":" + name,
          "CDATA",
          in.getAttributeValue(i));
    }
    return attributes;
  }

  private String uri() {
    return namespaces && in.getNamespace() != null ? in.getNamespace() : "";
  }

  private String localName() {
    return namespaces ? in.getName() : "";
  }

  private String qualifiedName() {
    String prefix = in.getPrefix();
    return prefix == null || prefix.isEmpty() ? in.getName() : prefix + ":" + in.getName();
  }

  private static String prefix(String prefix) {
    return prefix == null ? "" : prefix;
  }

  /** Expat passes a line end by itself. */
  private void text(String text) throws SAXException {
    if (text == null) {
      throw error("unresolved");
    }
    int from = 0;
    while (from < text.length()) {
      int end = text.indexOf('\n', from);
      int to = end < 0 ? text.length() : end == from ? end + 1 : end;
      content.characters(text.substring(from, to).toCharArray(), 0, to - from);
      from = to;
    }
  }

  private void cdata(String text) throws SAXException {
    if (lexical != null) {
      lexical.startCDATA();
    }
    text(text);
    if (lexical != null) {
      lexical.endCDATA();
    }
  }

  private void comment(String text) throws SAXException {
    if (lexical != null) {
      lexical.comment(text.toCharArray(), 0, text.length());
    }
  }

  private void instruction(String text) throws SAXException {
    int space = text.indexOf(' ');
    content.processingInstruction(
        space < 0 ? text : text.substring(0, space), space < 0 ? "" : text.substring(space + 1));
  }

  private void doctype() throws SAXException {
    if (lexical != null) {
      lexical.startDTD(in.getText().strip().split("[ \\[>]")[0], null, null);
      lexical.endDTD();
    }
  }

  /** Notes where the parser is; Expat counts columns from 0. */
  private void look() {
    place.setLineNumber(in.getLineNumber());
    place.setColumnNumber(Math.max(0, in.getColumnNumber() - 1));
  }

  /** Returns an error in Expat's words. */
  private SAXParseException error(String reason) {
    String words =
        reason.contains("unresolved")
            ? "undefined entity"
            : reason.contains("expected: /")
                ? "mismatched tag"
                : !hasElement || reason.contains("end of document") || reason.contains("END_DOC")
                    ? "no element found"
                    : "not well-formed (invalid token)";
    look();
    return new SAXParseException(
        "At line " + place.getLineNumber() + ", column " + place.getColumnNumber() + ": " + words,
        place);
  }
}
