// A framework method that no shadow can take has its code under its own name.
package dev.retap.agent.rewrite;

import static org.junit.Assert.assertEquals;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.junit.Test;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;

public final class MergedMethodsTest {
  private static final String TYPE = "android/test/Counter";
  private static final String ORIGINAL = "$$robo$$android_test_Counter$next";
  private static final String SIGNATURE = "(JI)J";

  private static final ShadowedMethods NONE = new ShadowedMethods(List.of(), (shadow, it) -> false);

  @Test
  public void theCodeHasTheMethodsNameAndTheOtherNameLeadsToIt() throws Exception {
    byte[] merged = CallRewriter.rewrite(counter(0, 0), NONE);
    assertEquals(List.of(), RewrittenClasses.callsIn(merged, "next"));
    assertEquals(List.of(TYPE + ".next" + SIGNATURE), RewrittenClasses.callsIn(merged, ORIGINAL));
    for (String name : List.of("next", ORIGINAL)) {
      Method method = define(merged).getDeclaredMethod(name, long.class, int.class);
      method.setAccessible(true);
      Object counter = method.getDeclaringClass().getDeclaredConstructor().newInstance();
      assertEquals(name, 42L, method.invoke(counter, 40L, 2));
    }
  }

  @Test
  public void aFrameOfTheMethodHasTheLineOfItsCode() throws Exception {
    Class<?> type = define(CallRewriter.rewrite(counter(0, 0), NONE));
    Method method = type.getDeclaredMethod("next", long.class, int.class);
    try {
      method.invoke(type.getDeclaredConstructor().newInstance(), 40L, 0);
    } catch (InvocationTargetException e) {
      StackTraceElement first = e.getCause().getStackTrace()[0];
      assertEquals("next 7", first.getMethodName() + " " + first.getLineNumber());
      assertEquals("no second frame", 1, framesOf(type, e.getCause()));
      return;
    }
    throw new AssertionError("a division by zero");
  }

  @Test
  public void aShadowedOrNativeMethodStaysInTwoHalves() {
    ShadowedMethods all = new ShadowedMethods(List.of(ShadowOfCounter.class), (it, name) -> true);
    String asks = "dynamic dev/retap/agent/shadow/ShadowBootstrap.bootstrap";
    assertEquals(
        List.of(asks), RewrittenClasses.callsIn(CallRewriter.rewrite(counter(0, 0), all), "next"));
    assertEquals(
        List.of(asks), RewrittenClasses.callsIn(CallRewriter.rewrite(counter(0, 1), NONE), "next"));
  }

  @Test
  public void aSynchronizedMethodStillTakesTheMonitor() throws Exception {
    byte[] merged = CallRewriter.rewrite(counter(Opcodes.ACC_SYNCHRONIZED, 0), NONE);
    List<String> calls = RewrittenClasses.callsIn(merged, "next");
    assertEquals(calls.toString(), 2, calls.size());
    assertEquals(List.of(TYPE + ".next" + SIGNATURE), RewrittenClasses.callsIn(merged, ORIGINAL));
  }

  @Implements(className = "android.test.Counter")
  public static class ShadowOfCounter {
    @Implementation
    protected long next(long from, int by) {
      return 0;
    }
  }

  private static long framesOf(Class<?> type, Throwable thrown) {
    return Arrays.stream(thrown.getStackTrace())
        .filter(frame -> frame.getClassName().equals(type.getName()))
        .count();
  }

  private static Class<?> define(byte[] bytes) {
    return new ClassLoader() {
      Class<?> define() {
        return defineClass(TYPE.replace('/', '.'), bytes, 0, bytes.length);
      }
    }.define();
  }

  /** A class as Robolectric instruments it, whose method returns a sum or divides by zero. */
  private static byte[] counter(int access, int isNative) {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_FRAMES);
    writer.visit(Opcodes.V11, Opcodes.ACC_PUBLIC, TYPE, null, "java/lang/Object", null);
    MethodVisitor code = writer.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "()V", null, null);
    code.visitCode();
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
    code.visitInsn(Opcodes.RETURN);
    code.visitMaxs(0, 0);
    code.visitEnd();
    writeOriginal(
        writer.visitMethod(
            Opcodes.ACC_PRIVATE | Opcodes.ACC_FINAL | access, ORIGINAL, SIGNATURE, null, null));
    writeWrapper(writer.visitMethod(Opcodes.ACC_PUBLIC, "next", SIGNATURE, null, null), isNative);
    writer.visitEnd();
    return writer.toByteArray();
  }

  private static void writeOriginal(MethodVisitor code) {
    code.visitCode();
    Label line = new Label();
    code.visitLabel(line);
    code.visitLineNumber(7, line);
    code.visitInsn(Opcodes.ICONST_1);
    code.visitVarInsn(Opcodes.ILOAD, 3);
    code.visitInsn(Opcodes.IDIV);
    code.visitInsn(Opcodes.POP);
    code.visitVarInsn(Opcodes.LLOAD, 1);
    code.visitVarInsn(Opcodes.ILOAD, 3);
    code.visitInsn(Opcodes.I2L);
    code.visitInsn(Opcodes.LADD);
    code.visitInsn(Opcodes.LRETURN);
    code.visitMaxs(0, 0);
    code.visitEnd();
  }

  private static void writeWrapper(MethodVisitor code, int isNative) {
    code.visitCode();
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitVarInsn(Opcodes.LLOAD, 1);
    code.visitVarInsn(Opcodes.ILOAD, 3);
    code.visitInvokeDynamicInsn(
        "next",
        "(L" + TYPE + ";JI)J",
        new Handle(
            Opcodes.H_INVOKESTATIC,
            DirectCalls.ROBOLECTRIC_BOOTSTRAP,
            "bootstrap",
            "()Ljava/lang/invoke/CallSite;",
            false),
        new Handle(Opcodes.H_INVOKESPECIAL, TYPE, ORIGINAL, SIGNATURE, false),
        isNative);
    code.visitInsn(Opcodes.LRETURN);
    code.visitMaxs(0, 0);
    code.visitEnd();
  }
}
