// A wrapper calls the original code directly unless a shadow may take the call.
package dev.retap.agent.rewrite;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import dev.retap.agent.shadow.system.VisualizerShadow;
import java.util.List;
import org.junit.BeforeClass;
import org.junit.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

public final class DirectCallsTest {
  private static final String VISUALIZER = "android/media/audiofx/Visualizer";
  private static final String UNKNOWN = "android/test/NoSuchClass";

  private static ShadowedMethods shadowed;

  @BeforeClass
  public static void readShadows() {
    shadowed = new ShadowedMethods(List.of(VisualizerShadow.class), (shadow, method) -> true);
  }

  @Test
  public void methodsOfShadowsCanBeShadowedAndOthersCannot() {
    assertTrue(shadowed.canBeShadowed(VISUALIZER, "getMaxCaptureRate"));
    assertTrue(
        "by the parent of our shadow", shadowed.canBeShadowed(VISUALIZER, "native_getEnabled"));
    assertFalse(shadowed.canBeShadowed(VISUALIZER, "noSuchMethod"));
    assertFalse(shadowed.canBeShadowed(UNKNOWN, "open"));
  }

  @Test
  public void aMethodWithoutAShadowIsCalledDirectly() {
    assertEquals(List.of(UNKNOWN + ".original()V"), callsOfWrapper(UNKNOWN, "open", false));
  }

  @Test
  public void aMethodWithAShadowIsBoundOnce() {
    assertEquals(
        List.of("dynamic dev/retap/agent/shadow/ShadowBootstrap.bootstrapStatic"),
        callsOfWrapper(VISUALIZER, "getMaxCaptureRate", false));
  }

  @Test
  public void aNativeMethodHasNoOriginalToCall() {
    assertEquals(
        List.of("dynamic dev/retap/agent/shadow/ShadowBootstrap.bootstrapStatic"),
        callsOfWrapper(UNKNOWN, "open", true));
  }

  @Test
  public void arraysAreCopiedDirectly() {
    String copy = "(Ljava/lang/Object;ILjava/lang/Object;II)V";
    ClassWriter source = new ClassWriter(0);
    source.visit(Opcodes.V11, 0, UNKNOWN, null, "java/lang/Object", null);
    MethodVisitor code = source.visitMethod(Opcodes.ACC_STATIC, "copy", copy, null, null);
    code.visitCode();
    code.visitInvokeDynamicInsn(
        "arraycopy",
        copy,
        new Handle(
            Opcodes.H_INVOKESTATIC,
            DirectCalls.ROBOLECTRIC_BOOTSTRAP,
            "bootstrapIntrinsic",
            "()V",
            false));
    code.visitInsn(Opcodes.RETURN);
    code.visitMaxs(5, 5);
    code.visitEnd();
    ClassWriter result = new ClassWriter(0);
    new ClassReader(source.toByteArray()).accept(new DirectCalls(result, shadowed), 0);
    assertEquals(
        List.of("java/lang/System.arraycopy" + copy),
        RewrittenClasses.callsIn(result.toByteArray(), "copy"));
  }

  @Test
  public void theOutlineOfAShadowIsReadFromItsClassFile() {
    ShadowOutline outline = ShadowOutline.of(VisualizerShadow.class.getName());
    assertEquals("org.robolectric.shadows.ShadowVisualizer", outline.parent());
    assertEquals("android.media.audiofx.Visualizer", outline.replaces());
    assertTrue(
        outline.methods().stream().anyMatch(it -> it.implemented().equals("getMaxCaptureRate")));
    assertFalse(outline.swallows());
  }

  private static List<String> callsOfWrapper(String type, String method, boolean isNative) {
    byte[] rewritten = CallRewriter.rewrite(wrapper(type, method, isNative), shadowed);
    return RewrittenClasses.callsIn(rewritten, method);
  }

  /** A class as Robolectric instruments it: a wrapper around the method `original`. */
  private static byte[] wrapper(String type, String method, boolean isNative) {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(Opcodes.V11, Opcodes.ACC_PUBLIC, type, null, "java/lang/Object", null);
    MethodVisitor code = writer.visitMethod(Opcodes.ACC_STATIC, method, "()V", null, null);
    code.visitCode();
    code.visitInvokeDynamicInsn(
        method,
        "()V",
        new Handle(
            Opcodes.H_INVOKESTATIC,
            DirectCalls.ROBOLECTRIC_BOOTSTRAP,
            "bootstrapStatic",
            "()Ljava/lang/invoke/CallSite;",
            false),
        new Handle(Opcodes.H_INVOKESTATIC, type, "original", "()V", false),
        isNative ? 1 : 0);
    code.visitInsn(Opcodes.RETURN);
    code.visitMaxs(0, 0);
    code.visitEnd();
    writer.visitEnd();
    return writer.toByteArray();
  }
}
