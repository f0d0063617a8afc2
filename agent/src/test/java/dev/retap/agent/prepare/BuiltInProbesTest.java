// An app that was built with JaCoCo in it runs and is counted like any other.
package dev.retap.agent.prepare;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jacoco.core.instr.Instrumenter;
import org.jacoco.core.runtime.OfflineInstrumentationAccessGenerator;
import org.junit.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

public final class BuiltInProbesTest {
  @Test
  public void theClassRunsWithoutJacocosRuntime() throws Exception {
    Class<?> type = load(BuiltInProbes.remove(withProbes()));
    Object counter = type.getConstructor().newInstance();
    assertEquals(9, type.getMethod("count", int.class).invoke(counter, 3));
    assertEquals("-", type.getMethod("name", Object.class).invoke(null, (Object) null));
    boolean[] flags = (boolean[]) type.getMethod("flags").invoke(null);
    assertTrue("its own array is still written", flags[1] && !flags[0]);
  }

  @Test
  public void nothingOfJacocoIsLeft() throws Exception {
    Class<?> type = load(BuiltInProbes.remove(withProbes()));
    for (Field field : type.getDeclaredFields()) {
      assertFalse(field.getName().contains("jacoco"));
    }
    for (Method method : type.getDeclaredMethods()) {
      assertFalse(method.getName().contains("jacoco"));
    }
  }

  @Test
  public void asManyInstructionsStayAsTheSourceHas() throws Exception {
    int before = instructions(plain());
    int after = instructions(BuiltInProbes.remove(withProbes()));
    // JaCoCo turns some branches round, which takes a jump more.
    assertTrue(before + " and " + after, after >= before && after <= before + 3);
    assertTrue(instructions(withProbes()) > before + 20);
  }

  @Test
  public void anInterfaceNeedsNoRuntimeEither() throws Exception {
    byte[] stripped = BuiltInProbes.remove(instrument(Shape.class, Opcodes.V1_8));
    assertFalse(new String(stripped, StandardCharsets.ISO_8859_1).contains("jacoco"));
    Class<?> shape = define(Shape.class, stripped);
    Object square =
        Proxy.newProxyInstance(
            shape.getClassLoader(),
            new Class<?>[] {shape},
            (self, method, arguments) -> InvocationHandler.invokeDefault(self, method, arguments));
    assertEquals(10, shape.getMethod("twice", int.class).invoke(square, 5));
  }

  @Test
  public void aClassWithoutProbesStaysAsItIs() throws Exception {
    byte[] plain = plain();
    assertSame(plain, BuiltInProbes.remove(plain));
  }

  private static byte[] plain() throws IOException {
    return plain(Counter.class, Opcodes.V1_5);
  }

  private static byte[] plain(Class<?> type, int version) throws IOException {
    String file = type.getName().replace('.', '/') + ".class";
    try (InputStream in = ClassLoader.getSystemResourceAsStream(file)) {
      return asOldClass(in.readAllBytes(), version);
    }
  }

  /** Android's build instruments classes of Java 8, which the JVM does not ask for stack maps. */
  private static byte[] asOldClass(byte[] classFile, int old) {
    ClassReader reader = new ClassReader(classFile);
    org.objectweb.asm.ClassWriter writer = new org.objectweb.asm.ClassWriter(0);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public void visit(
              int version,
              int access,
              String name,
              String signature,
              String parent,
              String[] interfaces) {
            super.visit(old, access, name, signature, parent, interfaces);
          }
        },
        old < Opcodes.V1_7 ? ClassReader.SKIP_FRAMES : ClassReader.EXPAND_FRAMES);
    return writer.toByteArray();
  }

  private static byte[] withProbes() throws IOException {
    return instrument(Counter.class, Opcodes.V1_5);
  }

  private static byte[] instrument(Class<?> type, int version) throws IOException {
    return new Instrumenter(new OfflineInstrumentationAccessGenerator())
        .instrument(plain(type, version), type.getName());
  }

  private static Class<?> load(byte[] classFile) {
    return define(Counter.class, classFile);
  }

  private static Class<?> define(Class<?> type, byte[] classFile) {
    return new ClassLoader(BuiltInProbesTest.class.getClassLoader()) {
      Class<?> define() {
        return defineClass(type.getName(), classFile, 0, classFile.length);
      }
    }.define();
  }

  private static int instructions(byte[] classFile) {
    int[] count = {0};
    new ClassReader(classFile)
        .accept(
            new ClassVisitor(Opcodes.ASM9) {
              @Override
              public MethodVisitor visitMethod(
                  int access, String name, String type, String signature, String[] exceptions) {
                return new org.objectweb.asm.util.TraceMethodVisitor(
                    new org.objectweb.asm.util.Textifier(Opcodes.ASM9) {
                      @Override
                      public void visitMethodEnd() {
                        count[0] +=
                            (int)
                                text.stream()
                                    .filter(it -> it.toString().startsWith(tab2))
                                    .filter(it -> !it.toString().contains("LINENUMBER"))
                                    .count();
                      }
                    });
              }
            },
            0);
    return count[0];
  }

  /** An interface with code. */
  public interface Shape {
    default int twice(int x) {
      return 2 * x;
    }
  }

  /** A class with loops, branches, a handler and an array of its own. */
  public static class Counter {
    public int count(int most) {
      int sum = 0;
      for (int i = 0; i < most; i++) {
        sum += i % 2 == 0 ? i : 7;
      }
      try {
        Integer.parseInt("x");
      } catch (NumberFormatException e) {
        sum += 0;
      }
      return sum;
    }

    public static String name(Object object) {
      return object == null ? "-" : object.toString();
    }

    public static boolean[] flags() {
      boolean[] flags = new boolean[2];
      flags[1] = true;
      return Arrays.copyOf(flags, 2);
    }
  }
}
