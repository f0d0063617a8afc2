// The binder interfaces that the device names in its own code: those are the services it plays, or
// answers for with nothing to tell. Read from the class files, because the device runs elsewhere.
package dev.retap.agent.host;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

final class PlayedServices {
  private static final String DEVICE = "dev/retap/agent/device/";
  private static final String NOTHING_TO_TELL = "UnplayedServices";
  private static final Pattern INTERFACE =
      Pattern.compile("(android|com\\.android)\\.[\\w.]*\\.I[A-Z]\\w+");

  private PlayedServices() {}

  /** Returns the simple name of the class that plays each interface. */
  static Map<String, String> find() throws IOException {
    Map<String, String> players = new TreeMap<>();
    try (ZipFile agent = new ZipFile(agentJar().toFile())) {
      for (ZipEntry entry :
          (Iterable<ZipEntry>) agent.stream().map(it -> (ZipEntry) it)::iterator) {
        if (entry.getName().startsWith(DEVICE) && entry.getName().endsWith(".class")) {
          String name = entry.getName().replaceAll(".*/|(\\$.*)?\\.class$", "");
          try (InputStream in = agent.getInputStream(entry)) {
            new ClassReader(in.readAllBytes()).accept(new Names(name, players), 0);
          }
        }
      }
    }
    return players;
  }

  private static Path agentJar() throws IOException {
    try {
      return Path.of(
          PlayedServices.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
  }

  /** Notes every constant that is the name of an interface. One that has something to tell wins. */
  private static final class Names extends ClassVisitor {
    private final String player;
    private final Map<String, String> players;

    Names(String player, Map<String, String> players) {
      super(Opcodes.ASM9);
      this.player = player;
      this.players = players;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      return new MethodVisitor(Opcodes.ASM9) {
        @Override
        public void visitLdcInsn(Object value) {
          if (value instanceof String text && INTERFACE.matcher(text).matches()) {
            players.merge(text, player, (one, two) -> one.equals(NOTHING_TO_TELL) ? two : one);
          }
        }
      };
    }
  }
}
