// The first line that a thread will run, for threads that have not begun: the code behind its
// Runnable, through the classes that compilers make for lambdas.
package dev.retap.agent.host;

import java.io.IOException;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

public final class ThreadEntries {
  /** Classes of lambdas call the lambda itself; more steps than this lead nowhere. */
  private static final int MOST_STEPS = 3;

  private static final String RUN = "run()V";

  private final Path classes;

  /**
   * @param classes the jar of the app's translated classes
   */
  public ThreadEntries(Path classes) {
    this.classes = classes;
  }

  /**
   * Returns the method that a thread begins with, and its first line if it is the app's.
   *
   * @param type the class whose method run it begins with
   */
  String of(String type) {
    try (ZipFile jar = new ZipFile(classes.toFile())) {
      String owner = type.replace('.', '/');
      String method = RUN;
      for (int i = 0; i < MOST_STEPS; i++) {
        Beginning beginning = read(jar, owner, method);
        if (beginning == null) {
          break;
        }
        if (beginning.line > 0) {
          String name = method.substring(0, method.indexOf('('));
          return owner.replace('/', '.')
              + "."
              + name
              + "("
              + beginning.source
              + ":"
              + beginning.line
              + ")";
        }
        if (beginning.calledOwner == null) {
          break;
        }
        owner = beginning.calledOwner;
        method = beginning.calledMethod;
      }
    } catch (IOException e) {
      // The class alone says enough.
    }
    return type + ".run";
  }

  private static Beginning read(ZipFile jar, String owner, String method) throws IOException {
    ZipEntry entry = jar.getEntry(owner + ".class");
    if (entry == null) {
      return null;
    }
    Beginning beginning = new Beginning(jar, method);
    new ClassReader(jar.getInputStream(entry)).accept(beginning, ClassReader.SKIP_FRAMES);
    return beginning.isFound ? beginning : null;
  }

  /** The first line of a method, and the first method of the app that it calls. */
  private static final class Beginning extends ClassVisitor {
    private final ZipFile jar;
    private final String method;
    private boolean isFound;
    private String source = "Unknown Source";
    private int line;
    private String calledOwner;
    private String calledMethod;

    Beginning(ZipFile jar, String method) {
      super(Opcodes.ASM9);
      this.jar = jar;
      this.method = method;
    }

    @Override
    public void visitSource(String file, String debug) {
      source = file == null ? source : file;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      if (!method.equals(name + descriptor)) {
        return null;
      }
      isFound = true;
      boolean isMade = (access & Opcodes.ACC_SYNTHETIC) != 0 && name.equals("run");
      return new MethodVisitor(Opcodes.ASM9) {
        @Override
        public void visitLineNumber(int number, Label start) {
          if (line == 0 && !isMade) {
            line = number;
          }
        }

        @Override
        public void visitMethodInsn(
            int opcode, String owner, String called, String type, boolean isInterface) {
          if (calledOwner == null && jar.getEntry(owner + ".class") != null) {
            calledOwner = owner;
            calledMethod = called + type;
          }
        }
      };
    }
  }
}
