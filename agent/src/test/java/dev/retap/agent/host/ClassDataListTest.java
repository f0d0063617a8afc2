// The list for the JVM's archive names a class after those that it extends, by their numbers, and
// leaves out a class of which one is missing.
package dev.retap.agent.host;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import dev.retap.agent.rewrite.FrameworkArchive;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

public final class ClassDataListTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private final Map<String, String> lines = new HashMap<>();
  private Path to;

  @Before
  public void writeList() throws Exception {
    Path jar = folder.newFile("android.jar").toPath();
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
      put(out, "android/app/Activity", "android/content/Context", "java/lang/Runnable");
      put(out, "android/content/Context", "java/lang/Object");
      // Its parent is a class of the framework that is not archived.
      put(out, "android/view/View", "android/not/Archived");
      put(out, "android/widget/TextView", "android/view/View");
      // The world's classes are not in a class path where the JVM would find them.
      put(out, "android/app/Dialog", "java/lang/Object", "dev/retap/agent/world/Blocking");
    }
    to = folder.newFolder().toPath();
    FrameworkArchive.write(jar, null, bytes -> bytes, to);
    ClassDataList.write(new FrameworkArchive(to), to);
    for (String line : Files.readAllLines(to.resolve("classes.txt"))) {
      if (line.contains("source:") || line.matches("java/lang/(Object|Runnable) id: .*")) {
        lines.put(line.split(" ")[0], line);
      }
    }
  }

  @Test
  public void aClassNamesTheNumbersOfWhatItExtends() {
    assertEquals(
        "android/app/Activity id: %s super: %s interfaces: %s source: classes.jar"
            .formatted(
                number("android/app/Activity"),
                number("android/content/Context"),
                number("java/lang/Runnable")),
        lines.get("android/app/Activity"));
    assertTrue(number("android/content/Context") < number("android/app/Activity"));
    assertTrue(
        lines
            .get("android/content/Context")
            .endsWith("super: " + number("java/lang/Object") + " source: classes.jar"));
  }

  @Test
  public void aClassWithoutAllThatItExtendsIsLeftOut() throws Exception {
    for (String name :
        List.of("android/view/View", "android/widget/TextView", "android/app/Dialog")) {
      assertFalse(name, lines.containsKey(name));
    }
    try (ZipFile jar = new ZipFile(to.resolve("classes.jar").toFile())) {
      assertTrue(jar.getEntry("android/app/Activity.class") != null);
      assertTrue(jar.getEntry("android/view/View.class") == null);
    }
  }

  @Test
  public void noClassOfTheWorldIsListed() throws Exception {
    for (String line : Files.readAllLines(to.resolve("classes.txt"))) {
      assertFalse(line, line.startsWith("dev/retap/agent/world/"));
    }
  }

  private int number(String name) {
    return Integer.parseInt(lines.get(name).split(" ")[2]);
  }

  private static void put(ZipOutputStream out, String name, String parent, String... interfaces)
      throws Exception {
    ClassWriter made = new ClassWriter(0);
    made.visit(Opcodes.V1_8, Opcodes.ACC_PUBLIC, name, null, parent, interfaces);
    made.visitEnd();
    out.putNextEntry(new ZipEntry(name + ".class"));
    out.write(made.toByteArray());
    out.closeEntry();
  }
}
