// Android's own XML parsers where an app asks the JDK for a parser. The JDK's tell a handler no
// local names unless asked to, and are stricter with documents.
package dev.retap.agent.shadow.libcore;

import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.SAXParserFactory;
import org.apache.harmony.xml.ExpatReader;
import org.apache.harmony.xml.parsers.DocumentBuilderFactoryImpl;
import org.apache.harmony.xml.parsers.SAXParserFactoryImpl;
import org.xml.sax.XMLReader;

public final class XmlFactories {
  private XmlFactories() {}

  public static SAXParserFactory saxParsers() {
    return new SAXParserFactoryImpl();
  }

  public static DocumentBuilderFactory documentBuilders() {
    return new DocumentBuilderFactoryImpl();
  }

  public static XMLReader reader() {
    return new ExpatReader();
  }
}
