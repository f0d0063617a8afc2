// Calls of interfaces' own code, as a translation from dex leaves them and as a JVM wants them.
package dev.retap.agent.prepare;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

public final class InterfaceCallsTest {
  private static final List<String> METHODS =
      List.of("jdk", "ofFramework", "ofApp", "inherited", "hidden", "reference", "lambda");

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void everyCallOfAnInterfaceRunsOnceItIsMarked() throws Exception {
    try (InterfaceCalls calls = new InterfaceCalls(jar(true), jar(false))) {
      Class<?> caller = load(calls);
      for (String method : METHODS) {
        assertEquals(
            method, caller.getMethod(method).invoke(caller.getConstructor().newInstance()));
      }
    }
  }

  @Test
  public void unmarkedCallsFailAsTheyDidInApps() throws Exception {
    Class<?> caller = load(null);
    for (String method : METHODS) {
      Object self = caller.getConstructor().newInstance();
      Throwable thrown =
          assertThrows(
              method, InvocationTargetException.class, () -> caller.getMethod(method).invoke(self));
      assertTrue(
          method + ": " + thrown.getCause(),
          thrown.getCause() instanceof IncompatibleClassChangeError);
    }
  }

  /** Returns the jar of the app or of the framework. */
  private Path jar(boolean ofApp) throws Exception {
    Path jar = folder.getRoot().toPath().resolve(ofApp ? "app.jar" : "framework.jar");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
      for (Class<?> type :
          ofApp ? List.of(Caller.class, Named.class) : List.<Class<?>>of(Framework.class)) {
        out.putNextEntry(new ZipEntry(type.getName().replace('.', '/') + ".class"));
        out.write(bytes(type));
        out.closeEntry();
      }
    }
    return jar;
  }

  /** Loads the classes as dex2jar leaves them and, unless null, marks their calls. */
  private static Class<?> load(InterfaceCalls calls) throws Exception {
    Map<String, byte[]> classes = new HashMap<>();
    for (Class<?> type : List.of(Caller.class, Named.class, Framework.class)) {
      byte[] translated = withoutMarks(bytes(type));
      classes.put(type.getName(), calls == null ? translated : calls.mark(translated));
    }
    ClassLoader loader =
        new ClassLoader(InterfaceCallsTest.class.getClassLoader()) {
          @Override
          protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            byte[] bytes = classes.remove(name);
            return bytes == null
                ? super.loadClass(name, resolve)
                : defineClass(name, bytes, 0, bytes.length);
          }
        };
    Class<?> caller = null;
    for (Class<?> type : List.of(Framework.class, Named.class, Caller.class)) {
      caller = loader.loadClass(type.getName());
    }
    return caller;
  }

  /** Says that the owner of every call and handle is a class, as dex2jar does. */
  private static byte[] withoutMarks(byte[] classFile) {
    ClassWriter writer = new ClassWriter(0);
    ClassVisitor visitor =
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String type, String signature, String[] exceptions) {
            MethodVisitor next = super.visitMethod(access, name, type, signature, exceptions);
            return new MethodVisitor(Opcodes.ASM9, next) {
              @Override
              public void visitMethodInsn(
                  int opcode, String owner, String called, String type, boolean isInterface) {
                // In dex, private methods are called directly and not through the table.
                int direct = called.startsWith("private") ? Opcodes.INVOKESPECIAL : opcode;
                super.visitMethodInsn(
                    direct, owner, called, type, direct == Opcodes.INVOKEINTERFACE);
              }

              @Override
              public void visitInvokeDynamicInsn(
                  String called, String type, Handle bootstrap, Object... arguments) {
                super.visitInvokeDynamicInsn(
                    called,
                    type,
                    bootstrap,
                    Arrays.stream(arguments).map(it -> withoutMark(it)).toArray());
              }
            };
          }
        };
    new ClassReader(classFile).accept(visitor, 0);
    return writer.toByteArray();
  }

  private static Object withoutMark(Object constant) {
    return constant instanceof Handle it
        ? new Handle(it.getTag(), it.getOwner(), it.getName(), it.getDesc(), false)
        : constant;
  }

  private static byte[] bytes(Class<?> type) throws Exception {
    String name = "/" + type.getName().replace('.', '/') + ".class";
    try (InputStream in = InterfaceCallsTest.class.getResourceAsStream(name)) {
      return in.readAllBytes();
    }
  }

  /** An interface of the framework. */
  public interface Framework {
    static String name() {
      return "ofFramework";
    }
  }

  /** An interface of the app. */
  public interface Named {
    static String name() {
      return "ofApp";
    }

    static Supplier<String> lambda() {
      return () -> "lambda";
    }

    default String inherited() {
      return "inherited";
    }

    private String privateName() {
      return "hidden";
    }

    default String hidden() {
      return privateName();
    }
  }

  /** A class of the app. */
  public static final class Caller implements Named {
    public String jdk() {
      List<String> names = new ArrayList<>(List.of("x", "jdk"));
      names.sort(Comparator.naturalOrder());
      return names.get(0);
    }

    public String ofFramework() {
      return Framework.name();
    }

    public String ofApp() {
      return Named.name();
    }

    @Override
    public String inherited() {
      return Named.super.inherited();
    }

    @Override
    public String hidden() {
      return Named.super.hidden();
    }

    public String reference() {
      Function<String, List<String>> make = List::of;
      return make.apply("reference").get(0);
    }

    public String lambda() {
      return Named.lambda().get();
    }
  }
}
