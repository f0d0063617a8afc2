// Makes methods of Robolectric's resource reader remember. Such a method first asks a class of ours
// for what it gave last time; if that does not know, the method's own code runs, under another
// name, and our class is told what it gave. Objects get a place for what our classes know of them.
package dev.retap.agent.rewrite;

import dev.retap.agent.rewrite.fixes.ResourceTableFix;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodNode;

final class RememberingClass {
  private static final String READER = "org/robolectric/res/android/";
  private static final String SHADOWS = "org/robolectric/shadows/";
  private static final String MEMORY = READER + "Memory";
  private static final String OBJECT = "Ljava/lang/Object;";

  private static final Map<String, Rule> RULES =
      Map.ofEntries(
          Map.entry(ResourceTableFix.TABLE, Rule.ofObjects()),
          Map.entry(READER + "ResXMLTree", Rule.ofObjects()),
          Map.entry(
              READER + "CppAssetManager2",
              new Rule(READER + "EntryMemory", Set.of("FindEntry", "GetBag(ILjava/util/List;)"))),
          Map.entry(
              READER + "CppAssetManager2$Theme",
              new Rule(READER + "ThemeMemory", Set.of("ApplyStyle", "SetTo", "Clear"))),
          Map.entry(
              READER + "ResTableTheme",
              new Rule(READER + "ThemeMemory", Set.of("applyStyle", "setTo"))),
          Map.entry(READER + "AttributeResolution", Rule.ofStyles()),
          Map.entry(READER + "AttributeResolution9", Rule.ofStyles()),
          Map.entry(READER + "AttributeResolution10", Rule.ofStyles()),
          Map.entry(SHADOWS + "ShadowXmlBlock", Rule.ofFiles("nativeDestroy", null)),
          Map.entry(
              SHADOWS + "ShadowArscAssetManager",
              Rule.ofFiles("openXmlAssetNative", "cppAssetManager")),
          Map.entry(SHADOWS + "ShadowArscAssetManager9", Rule.ofFiles("nativeOpenXmlAsset", null)),
          Map.entry(
              SHADOWS + "ShadowArscAssetManager10", Rule.ofFiles("nativeOpenXmlAsset", null)));

  private final ClassNode type = new ClassNode();
  private final Rule rule;

  private RememberingClass(String name, byte[] classFile) {
    rule = RULES.get(name);
    new ClassReader(classFile).accept(type, 0);
  }

  static boolean wants(String name) {
    return RULES.containsKey(name);
  }

  static byte[] rewrite(String name, byte[] classFile) {
    RememberingClass rewritten = new RememberingClass(name, classFile);
    rewritten.rewriteMethods();
    if (rewritten.rule.hasPlace) {
      rewritten.addPlace();
    }
    ClassWriter writer = new ClassWriter(0);
    rewritten.type.accept(writer);
    return writer.toByteArray();
  }

  private void rewriteMethods() {
    List<MethodNode> asking = new ArrayList<>();
    for (MethodNode method : type.methods) {
      String parameters = method.desc.substring(0, method.desc.indexOf(')') + 1);
      if (rule.methods.contains(method.name) || rule.methods.contains(method.name + parameters)) {
        asking.add(asking(method));
      }
    }
    type.methods.addAll(asking);
  }

  /** Renames a method and returns the one that takes its place, annotations included. */
  private MethodNode asking(MethodNode method) {
    MethodNode asking =
        new MethodNode(
            method.access,
            method.name,
            method.desc,
            method.signature,
            method.exceptions.toArray(new String[0]));
    asking.visibleAnnotations = method.visibleAnnotations;
    asking.invisibleAnnotations = method.invisibleAnnotations;
    asking.visibleParameterAnnotations = method.visibleParameterAnnotations;
    asking.invisibleParameterAnnotations = method.invisibleParameterAnnotations;
    method.visibleAnnotations = null;
    method.invisibleAnnotations = null;
    method.name += "Anew";
    Type result = Type.getReturnType(method.desc);
    Type boxed = boxed(result);
    String capital = Character.toUpperCase(asking.name.charAt(0)) + asking.name.substring(1);
    int slots = (Type.getArgumentsAndReturnSizes(method.desc) >> 2) - (isStatic(method) ? 1 : 0);

    asking.visitCode();
    String parameters = loadForMemory(asking);
    call(asking, "recall" + capital, parameters + ")" + boxed.getDescriptor());
    Label unknown = new Label();
    if (result == Type.VOID_TYPE) {
      asking.visitJumpInsn(Opcodes.IFEQ, unknown);
      asking.visitInsn(Opcodes.RETURN);
    } else {
      asking.visitVarInsn(Opcodes.ASTORE, slots);
      asking.visitVarInsn(Opcodes.ALOAD, slots);
      asking.visitJumpInsn(Opcodes.IFNULL, unknown);
      asking.visitVarInsn(Opcodes.ALOAD, slots);
      if (result.getSort() < Type.ARRAY) {
        asking.visitMethodInsn(
            Opcodes.INVOKEVIRTUAL,
            boxed.getInternalName(),
            result.getClassName() + "Value",
            "()" + result.getDescriptor(),
            false);
      }
      asking.visitInsn(result.getOpcode(Opcodes.IRETURN));
    }
    asking.visitLabel(unknown);
    asking.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
    loadArguments(asking, true);
    asking.visitMethodInsn(
        isStatic(method) ? Opcodes.INVOKESTATIC : Opcodes.INVOKESPECIAL,
        type.name,
        method.name,
        method.desc,
        false);
    if (result != Type.VOID_TYPE) {
      asking.visitVarInsn(result.getOpcode(Opcodes.ISTORE), slots);
    }
    loadForMemory(asking);
    String given = parameters;
    if (result != Type.VOID_TYPE) {
      asking.visitVarInsn(result.getOpcode(Opcodes.ILOAD), slots);
      given += result.getDescriptor();
    }
    call(asking, "keep" + capital, given + ")V");
    if (result != Type.VOID_TYPE) {
      asking.visitVarInsn(result.getOpcode(Opcodes.ILOAD), slots);
    }
    asking.visitInsn(result.getOpcode(Opcodes.IRETURN));
    asking.visitMaxs(slots + 3, slots + 2);
    asking.visitEnd();
    return asking;
  }

  private void call(MethodNode asking, String name, String descriptor) {
    asking.visitMethodInsn(Opcodes.INVOKESTATIC, rule.owner, name, descriptor, false);
  }

  /**
   * Loads the arguments of our class's methods: the object, or what it keeps in a field, and the
   * method's own. Returns their descriptor without the closing parenthesis.
   */
  private String loadForMemory(MethodNode asking) {
    String descriptor = asking.desc.substring(1, asking.desc.indexOf(')'));
    if (isStatic(asking)) {
      loadArguments(asking, false);
      // The class of a theme, the first argument, differs between API levels.
      return "(" + descriptor.replaceFirst("^L[^;]*;", OBJECT);
    }
    asking.visitVarInsn(Opcodes.ALOAD, 0);
    String self = "L" + type.name + ";";
    if (rule.field != null) {
      self = fieldType();
      asking.visitFieldInsn(Opcodes.GETFIELD, type.name, rule.field, self);
    }
    loadArguments(asking, false);
    return "(" + self + descriptor;
  }

  private static void loadArguments(MethodNode asking, boolean withObject) {
    int slot = 0;
    if (!isStatic(asking)) {
      if (withObject) {
        asking.visitVarInsn(Opcodes.ALOAD, 0);
      }
      slot = 1;
    }
    for (Type argument : Type.getArgumentTypes(asking.desc)) {
      asking.visitVarInsn(argument.getOpcode(Opcodes.ILOAD), slot);
      slot += argument.getSize();
    }
  }

  private String fieldType() {
    for (FieldNode field : type.fields) {
      if (field.name.equals(rule.field)) {
        return field.desc;
      }
    }
    throw new LinkageError(type.name + " has no field " + rule.field);
  }

  /** Makes the class implement {@code Memory}. */
  private void addPlace() {
    type.interfaces.add(MEMORY);
    type.fields.add(new FieldNode(Opcodes.ACC_PRIVATE, "memory", OBJECT, null, null));
    MethodNode get = new MethodNode(Opcodes.ACC_PUBLIC, "memory", "()" + OBJECT, null, null);
    get.visitVarInsn(Opcodes.ALOAD, 0);
    get.visitFieldInsn(Opcodes.GETFIELD, type.name, "memory", OBJECT);
    get.visitInsn(Opcodes.ARETURN);
    get.visitMaxs(1, 1);
    type.methods.add(get);
    String setter = "(" + OBJECT + ")V";
    MethodNode set = new MethodNode(Opcodes.ACC_PUBLIC, "setMemory", setter, null, null);
    set.visitVarInsn(Opcodes.ALOAD, 0);
    set.visitVarInsn(Opcodes.ALOAD, 1);
    set.visitFieldInsn(Opcodes.PUTFIELD, type.name, "memory", OBJECT);
    set.visitInsn(Opcodes.RETURN);
    set.visitMaxs(2, 2);
    type.methods.add(set);
  }

  private static boolean isStatic(MethodNode method) {
    return (method.access & Opcodes.ACC_STATIC) != 0;
  }

  /** Returns the type that our class answers with: null, or false for void, if it knows nothing. */
  private static Type boxed(Type result) {
    return switch (result.getSort()) {
      case Type.VOID -> Type.BOOLEAN_TYPE;
      case Type.BOOLEAN -> Type.getType(Boolean.class);
      case Type.INT -> Type.getType(Integer.class);
      case Type.LONG -> Type.getType(Long.class);
      default -> result;
    };
  }

  /**
   * @param owner our class; null if only the objects get a place
   * @param methods the methods that ask it, by their names; where others of that name do not, with
   *     their parameters
   * @param field the field that is given to our class instead of the object, null for none
   * @param hasPlace whether the objects get a place
   */
  private record Rule(String owner, Set<String> methods, String field, boolean hasPlace) {
    Rule(String owner, Set<String> methods) {
      this(owner, methods, null, true);
    }

    static Rule ofObjects() {
      return new Rule(null, Set.of());
    }

    static Rule ofStyles() {
      return new Rule(READER + "StyleMemory", Set.of("ApplyStyle"), null, false);
    }

    static Rule ofFiles(String method, String field) {
      return new Rule(READER + "XmlFiles", Set.of(method), field, false);
    }
  }
}
