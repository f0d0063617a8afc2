// Replaces methods that no shadow reaches: a few of Robolectric that measurements showed to be far
// too slow, and one of the framework that needs a native parser. Each becomes a call of a static
// method of the same name in a class of ours.
package dev.retap.agent.rewrite;

import dev.retap.agent.rewrite.fixes.ResourceTableFix;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

final class MethodReplacer extends ClassVisitor {
  private static final String READER = "org/robolectric/res/android/";

  private static final Map<String, Replacement> REPLACEMENTS =
      Map.of(
          READER + "LoadedArsc$LoadedPackage",
          new Replacement(READER + "FastResourceReads", Set.of("GetEntryOffset")),
          READER + "LoadedArsc$TypeSpec",
          new Replacement(READER + "FastResourceReads", Set.of("GetFlagsForEntryIndex")),
          READER + "ResXMLParser",
          new Replacement(
              READER + "FastResourceReads",
              Set.of("getAttributeCount", "getAttributeNameID", "getAttributeNameResID")),
          ResourceTableFix.TABLE,
          new Replacement(READER + "ResourceBags", Set.of("setParameters")),
          READER + "ResStringPool",
          new Replacement(
              READER + "StringPoolIndex", Set.of("indexOfString"), Set.of("stringPoolIndex")),
          READER + "FileMap",
          new Replacement(READER + "ZipOffsets", Set.of("guessDataOffsets")),
          "org/apache/harmony/xml/ExpatReader",
          new Replacement("dev/retap/agent/shadow/libcore/ExpatParsing", Set.of("parse")),
          "org/robolectric/shadows/ShadowApplicationPackageManager",
          new Replacement("dev/retap/agent/shadow/PackageInfoCopy", Set.of("newPackageInfo")));

  private final String type;
  private final Replacement replacement;

  private MethodReplacer(ClassVisitor next, String type) {
    super(Opcodes.ASM9, next);
    this.type = type;
    this.replacement = REPLACEMENTS.get(type);
  }

  /** Returns true if a method of the class is replaced. */
  static boolean wants(String type) {
    return REPLACEMENTS.containsKey(type);
  }

  static byte[] rewrite(String type, byte[] classFile) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(reader, 0);
    ClassVisitor next = type.equals(ResourceTableFix.TABLE) ? new ResourceTableFix(writer) : writer;
    reader.accept(new MethodReplacer(next, type), 0);
    return writer.toByteArray();
  }

  @Override
  public void visitEnd() {
    for (String field : replacement.fields) {
      super.visitField(0, field, "Ljava/lang/Object;", null, null).visitEnd();
    }
    super.visitEnd();
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String name, String descriptor, String signature, String[] exceptions) {
    MethodVisitor method = super.visitMethod(access, name, descriptor, signature, exceptions);
    if (!replacement.methods.contains(name)) {
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
    method.visitMethodInsn(Opcodes.INVOKESTATIC, replacement.owner, name, called, false);
    Type result = Type.getReturnType(descriptor);
    method.visitInsn(result.getOpcode(Opcodes.IRETURN));
    method.visitMaxs(Math.max(slot, result.getSize()), slot);
    method.visitEnd();
    return null;
  }

  /**
   * @param owner our class
   * @param methods the methods that it replaces, by their names; where other methods of that name
   *     stay, with their descriptors
   * @param fields the fields that it needs in the objects
   */
  private record Replacement(String owner, Set<String> methods, Set<String> fields) {
    Replacement(String owner, Set<String> methods) {
      this(owner, methods, Set.of());
    }
  }
}
