// The table of file methods that take or give a path: the JDK's, and the host's way to SQLite.
// Arguments are mapped from the phone's names to this machine's, results back.
package dev.retap.agent.rewrite;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

final class PathHookTable {
  static final String SQLITE = "org/robolectric/shadows/ShadowNativeSQLiteConnection";
  static final String PHONE_PATHS = JdkHookTable.WORLD + "jdk/PhonePaths";
  private static final String READ = "toHost";
  private static final String WRITE = "toHostForWriting";
  private static final String INPUT = "toHostForReading";
  private static final String LIST = "toHostForListing";

  /** Maps a path by the mode that follows it. */
  private static final String IN_MODE = "toHostInMode";

  private static final String FILE = "java/io/File";
  private static final String STRING = "java/lang/String";
  private static final String PATH = "java/nio/file/Path";

  /**
   * The paths of a method.
   *
   * @param mapping the method of PhonePaths that maps its arguments
   * @param type the type of its paths
   * @param slots the local variables that are paths
   * @param result whether it returns a path
   */
  record Paths(String mapping, String type, int[] slots, boolean result) {}

  private static final Map<String, Paths> METHODS = new HashMap<>();
  private static final Set<String> CLASSES = new HashSet<>();

  static {
    String[] reads = {"canExecute", "exists", "isDirectory", "isFile", "isHidden"};
    for (String name : reads) {
      add(FILE + "." + name + "()Z", FILE, false, 0);
    }
    String[] writes = {"canWrite", "createNewFile", "delete", "mkdir", "setReadOnly"};
    for (String name : writes) {
      addWrite(FILE + "." + name + "()Z", FILE, 0);
    }
    for (String name : new String[] {"setWritable", "setReadable", "setExecutable"}) {
      addWrite(FILE + "." + name + "(ZZ)Z", FILE, 0);
    }
    String[] sizes = {"lastModified", "length", "getTotalSpace", "getFreeSpace", "getUsableSpace"};
    for (String name : sizes) {
      add(FILE + "." + name + "()J", FILE, false, 0);
    }
    addWrite(FILE + ".deleteOnExit()V", FILE, 0);
    for (String name : new String[] {"canRead()Z", "normalizedList()[L" + STRING + ";"}) {
      METHODS.put(FILE + "." + name, new Paths(LIST, FILE, new int[] {0}, false));
    }
    addWrite(FILE + ".renameTo(L" + FILE + ";)Z", FILE, 0, 1);
    addWrite(FILE + ".setLastModified(J)Z", FILE, 0);
    METHODS.put(
        FILE + ".createTempFile(L" + STRING + ";L" + STRING + ";L" + FILE + ";)L" + FILE + ";",
        new Paths(WRITE, FILE, new int[] {2}, true));
    // The method reads its own path, so it is mapped as a file and its result as a text.
    add(FILE + ".getCanonicalPath()L" + STRING + ";", FILE, true, 0);
    String input = "java/io/FileInputStream";
    CLASSES.add(input);
    METHODS.put(input + ".open(L" + STRING + ";)V", new Paths(INPUT, STRING, new int[] {1}, false));
    String output = "java/io/FileOutputStream";
    CLASSES.add(output);
    METHODS.put(
        output + ".open(L" + STRING + ";Z)V",
        new Paths("toHostForOutput", STRING, new int[] {1}, false));
    String random = "java/io/RandomAccessFile";
    CLASSES.add(random);
    METHODS.put(
        random + ".open(L" + STRING + ";I)V", new Paths(IN_MODE, STRING, new int[] {1}, false));
    add("sun/nio/fs/UnixPath.getByteArrayForSysCalls()[B", PATH, false, 0);
    add("sun/nio/fs/UnixPath.toRealPath([Ljava/nio/file/LinkOption;)L" + PATH + ";", PATH, true);
    CLASSES.add(SQLITE);
    METHODS.put(
        SQLITE + ".nativeOpen(L" + STRING + ";IL" + STRING + ";ZZII)J",
        new Paths(INPUT, STRING, new int[] {0}, false));
  }

  private PathHookTable() {}

  static boolean hasPaths(String type) {
    return CLASSES.contains(type);
  }

  /** Returns the paths of a method, or null. */
  static Paths find(String type, String method, String descriptor) {
    return METHODS.get(type + "." + method + descriptor);
  }

  static Set<String> methods() {
    return METHODS.keySet();
  }

  /** Writes the code that maps the arguments. */
  static void writeArguments(MethodVisitor mv, String owner, Paths paths) {
    for (int slot : paths.slots()) {
      mv.visitVarInsn(Opcodes.ALOAD, slot);
      String more = "";
      if (paths.mapping().equals(IN_MODE)) {
        mv.visitVarInsn(Opcodes.ILOAD, slot + 1);
        more = "I";
      }
      call(mv, paths.mapping(), paths.type(), more);
      if (slot == 0 && paths.type().equals(PATH)) {
        mv.visitTypeInsn(Opcodes.CHECKCAST, owner);
      }
      mv.visitVarInsn(Opcodes.ASTORE, slot);
    }
  }

  /** Writes the code that maps the result on the stack. */
  static void writeResult(MethodVisitor mv, String descriptor) {
    String type = descriptor.substring(descriptor.indexOf(")L") + 2, descriptor.length() - 1);
    call(mv, "toPhone", type, "");
  }

  private static void call(MethodVisitor mv, String name, String type, String more) {
    String descriptor = "(L" + type + ";" + more + ")L" + type + ";";
    mv.visitMethodInsn(Opcodes.INVOKESTATIC, PHONE_PATHS, name, descriptor, false);
  }

  private static void addWrite(String method, String type, int... slots) {
    CLASSES.add(method.substring(0, method.indexOf('.')));
    METHODS.put(method, new Paths(WRITE, type, slots, false));
  }

  private static void add(String method, String type, boolean result, int... slots) {
    CLASSES.add(method.substring(0, method.indexOf('.')));
    METHODS.put(method, new Paths(READ, type, slots, result));
  }
}
