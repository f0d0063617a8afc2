// Replaces the few methods of the host that measurements showed to be slow beyond reason by calls
// to a class of ours, which has a static method of the same name for each.
package dev.retap.agent;

import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

final class ShortCuts extends ClassVisitor {
  private static final String READER = "org/robolectric/res/android/";

  /** By class: our class, and the methods it answers for. */
  private static final Map<String, Cut> CUTS =
      Map.of(
          READER + "LoadedArsc$LoadedPackage",
          new Cut(READER + "Straight", Set.of("GetEntryOffset")),
          READER + "LoadedArsc$TypeSpec",
          new Cut(READER + "Straight", Set.of("GetFlagsForEntryIndex")),
          READER + "ResXMLParser",
          new Cut(READER + "Straight", Set.of("getAttributeCount", "getAttributeNameID", "getAttributeNameResID")),
          "org/robolectric/shadows/ShadowApplicationPackageManager",
          new Cut("dev/retap/agent/shadow/PackageCopy", Set.of("newPackageInfo")));

  private final String type;
  private final Cut cut;

  private ShortCuts(ClassVisitor next, String type) {
    super(Opcodes.ASM9, next);
    this.type = type;
    this.cut = CUTS.get(type);
  }

  static boolean wants(String type) {
    return CUTS.containsKey(type);
  }

  static byte[] rewrite(String type, byte[] classFile) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(new ShortCuts(writer, type), 0);
    return writer.toByteArray();
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String name, String descriptor, String signature, String[] exceptions) {
    MethodVisitor method = super.visitMethod(access, name, descriptor, signature, exceptions);
    if (!cut.methods.contains(name)) {
      return method;
    }
    boolean isStatic = (access & Opcodes.ACC_STATIC) != 0;
    method.visitCode();
    int slot = 0;
    String called = descriptor;
    if (!isStatic) {
      method.visitVarInsn(Opcodes.ALOAD, slot++);
      called = "(L" + type + ";" + descriptor.substring(1);
    }
    for (Type argument : Type.getArgumentTypes(descriptor)) {
      method.visitVarInsn(argument.getOpcode(Opcodes.ILOAD), slot);
      slot += argument.getSize();
    }
    method.visitMethodInsn(Opcodes.INVOKESTATIC, cut.owner, name, called, false);
    Type result = Type.getReturnType(descriptor);
    method.visitInsn(result.getOpcode(Opcodes.IRETURN));
    method.visitMaxs(Math.max(slot, result.getSize()), slot);
    method.visitEnd();
    return null;
  }

  private record Cut(String owner, Set<String> methods) {}
}
