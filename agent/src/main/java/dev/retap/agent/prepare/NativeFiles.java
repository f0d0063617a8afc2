// Android's native library and the files that it reads (fonts, hyphenation, ICU's data), unpacked
// from the jars that carry them. Robolectric unpacks these 200 MB at every start; the agent does so
// once.
package dev.retap.agent.prepare;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.robolectric.util.OsUtil;

public final class NativeFiles {
  private static final List<String> DATA = List.of("fonts/", "hyphen-data/", "icu/");

  private NativeFiles() {}

  /** Unpacks the files that serve most API levels. */
  public static void unpack(Path to) throws IOException {
    URL fonts = ClassLoader.getSystemResource("fonts/fonts.xml");
    String url = fonts.toString();
    try {
      Path jar = Path.of(new URL(url.substring("jar:".length(), url.lastIndexOf('!'))).toURI());
      unpack(jar, to);
    } catch (URISyntaxException e) {
      throw new IOException(url, e);
    }
  }

  /** Unpacks the files of one jar: the newest API levels carry their own. */
  public static void unpack(Path jar, Path to) throws IOException {
    String library = "native/" + system() + "/" + processor() + "/";
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : zip.stream().filter(it -> !it.isDirectory()).toList()) {
        String name = entry.getName();
        if (name.startsWith(library)) {
          unpack(zip, entry, to.resolve(name.substring(library.length())));
        } else if (DATA.stream().anyMatch(name::startsWith)) {
          unpack(zip, entry, to.resolve(name));
        }
      }
    }
  }

  private static void unpack(ZipFile zip, ZipEntry entry, Path to) throws IOException {
    Files.createDirectories(to.getParent());
    try (InputStream in = zip.getInputStream(entry)) {
      Files.copy(in, to);
    }
  }

  private static String system() {
    return OsUtil.isMac() ? "mac" : OsUtil.isWindows() ? "windows" : "linux";
  }

  private static String processor() {
    String name = System.getProperty("os.arch").toLowerCase(Locale.US);
    return name.equals("amd64") ? "x86_64" : name;
  }
}
