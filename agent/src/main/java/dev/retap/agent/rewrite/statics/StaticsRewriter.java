// The pass that makes an app's class ready for many processes. It turns the static initialiser into
// a method that can run again, and lets the class be initialised where the JVM would do it: in the
// first static method, constructor or static field that is used. Constants stay as they are.
package dev.retap.agent.rewrite.statics;

import dev.retap.agent.world.AppStatics;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

public final class StaticsRewriter extends ClassVisitor {
  private static final String STATICS = "dev/retap/agent/world/AppStatics";
  private static final String METHOD_TYPE = "(Z)V";
  private static final int HIDDEN = Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC;

  private final AppHierarchy app;
  private final List<StaticField> variables = new ArrayList<>();
  private String owner;
  private boolean isInitialized;
  private boolean hasMethod;

  private StaticsRewriter(ClassVisitor next, AppHierarchy app) {
    super(Opcodes.ASM9, next);
    this.app = app;
  }

  /** A static field that is not a constant, and its value before the initialiser runs. */
  private record StaticField(String name, String type, Object value) {}

  /** Rewrites one class of the app. Throws a RuntimeException if its code has no room. */
  public static byte[] rewrite(byte[] classFile, AppHierarchy app) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(new StaticsRewriter(writer, app), 0);
    return writer.toByteArray();
  }

  /** Returns true if the pass adds its method to the class. */
  public static boolean adds(AppHierarchy app, String name) {
    return app.isInitialized(name) || app.hasVariables(name);
  }

  @Override
  public void visit(
      int version, int access, String name, String signature, String parent, String[] interfaces) {
    boolean isInterface = (access & Opcodes.ACC_INTERFACE) != 0;
    // Interfaces have static methods since this version.
    int least = isInterface ? Math.max(version, Opcodes.V1_8) : version;
    super.visit(least, access, name, signature, parent, interfaces);
    owner = name;
    isInitialized = app.isInitialized(name);
  }

  @Override
  public FieldVisitor visitField(
      int access, String name, String type, String signature, Object value) {
    boolean isStatic = (access & Opcodes.ACC_STATIC) != 0;
    boolean isFinal = (access & Opcodes.ACC_FINAL) != 0;
    if (!isStatic || isFinal && value != null) {
      return super.visitField(access, name, type, signature, value);
    }
    variables.add(new StaticField(name, type, value));
    return super.visitField(access & ~Opcodes.ACC_FINAL, name, type, signature, value);
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String name, String type, String signature, String[] exceptions) {
    if (name.equals("<clinit>")) {
      hasMethod = true;
      return new Initializer(super.visitMethod(HIDDEN, AppStatics.METHOD, METHOD_TYPE, null, null));
    }
    MethodVisitor next = super.visitMethod(access, name, type, signature, exceptions);
    boolean isStatic = (access & Opcodes.ACC_STATIC) != 0;
    boolean isPrivate = (access & Opcodes.ACC_PRIVATE) != 0;
    boolean isFirstUse = isInitialized && (isStatic && !isPrivate || name.equals("<init>"));
    return new FirstUses(next, isFirstUse);
  }

  @Override
  public void visitEnd() {
    if (!hasMethod && (isInitialized || !variables.isEmpty())) {
      MethodVisitor method =
          new Initializer(super.visitMethod(HIDDEN, AppStatics.METHOD, METHOD_TYPE, null, null));
      method.visitCode();
      method.visitInsn(Opcodes.RETURN);
      method.visitMaxs(0, 1);
      method.visitEnd();
    }
    super.visitEnd();
  }

  /** Lets classes be initialised before the instructions that use them first. */
  private class FirstUses extends MethodVisitor {
    private final boolean isFirstUse;

    FirstUses(MethodVisitor next, boolean isFirstUse) {
      super(Opcodes.ASM9, next);
      this.isFirstUse = isFirstUse;
    }

    @Override
    public void visitCode() {
      super.visitCode();
      if (isFirstUse) {
        initialize(owner);
      }
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
      if (opcode == Opcodes.NEW) {
        use(type);
      }
      super.visitTypeInsn(opcode, type);
    }

    @Override
    public void visitFieldInsn(int opcode, String type, String field, String descriptor) {
      if (opcode == Opcodes.GETSTATIC || opcode == Opcodes.PUTSTATIC) {
        String declaring = app.declaring(type, field);
        if (declaring != null) {
          use(declaring);
        }
      }
      super.visitFieldInsn(opcode, type, field, descriptor);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String type, String name, String descriptor, boolean isInterface) {
      boolean isLookup = type.equals("java/lang/Class") && name.equals("forName");
      if (isLookup && descriptor.startsWith("(Ljava/lang/String;Z")) {
        super.visitMethodInsn(opcode, STATICS, name, descriptor, false);
        return;
      }
      super.visitMethodInsn(opcode, type, name, descriptor, isInterface);
      if (isLookup) {
        String same = "(Ljava/lang/Class;)Ljava/lang/Class;";
        super.visitMethodInsn(Opcodes.INVOKESTATIC, STATICS, "initialized", same, false);
      }
    }

    @Override
    public void visitMaxs(int stack, int locals) {
      super.visitMaxs(stack + 2, locals);
    }

    private void use(String type) {
      if (app.isInitialized(type) && !app.impliesInitialized(owner, type)) {
        initialize(type);
      }
    }

    private void initialize(String type) {
      Label ready = new Label();
      super.visitFieldInsn(Opcodes.GETSTATIC, STATICS, "READY", "[Z");
      super.visitLdcInsn(app.number(type));
      super.visitInsn(Opcodes.BALOAD);
      super.visitJumpInsn(Opcodes.IFNE, ready);
      run(type);
      super.visitLabel(ready);
    }

    final void run(String type) {
      super.visitInsn(Opcodes.ICONST_1);
      super.visitMethodInsn(
          Opcodes.INVOKESTATIC, type, AppStatics.METHOD, METHOD_TYPE, app.isInterface(type));
    }
  }

  /** The static initialiser as a method: its argument says whether to initialise or to clear. */
  private final class Initializer extends FirstUses {
    private final Label from = new Label();
    private final Label to = new Label();

    Initializer(MethodVisitor next) {
      super(next, false);
    }

    @Override
    public void visitCode() {
      super.visitCode();
      Label initialize = new Label();
      mv.visitVarInsn(Opcodes.ILOAD, 0);
      mv.visitJumpInsn(Opcodes.IFNE, initialize);
      variables.forEach(this::clear);
      mv.visitInsn(Opcodes.RETURN);
      mv.visitLabel(initialize);
      if (!isInitialized) {
        return;
      }
      Label begun = new Label();
      mv.visitLdcInsn(app.number(owner));
      mv.visitLdcInsn(Type.getObjectType(owner));
      mv.visitMethodInsn(Opcodes.INVOKESTATIC, STATICS, "begin", "(ILjava/lang/Class;)Z", false);
      mv.visitJumpInsn(Opcodes.IFNE, begun);
      mv.visitInsn(Opcodes.RETURN);
      mv.visitLabel(begun);
      mv.visitLabel(from);
      app.parents(owner).forEach(this::run);
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == Opcodes.RETURN && isInitialized) {
        mv.visitLdcInsn(app.number(owner));
        mv.visitMethodInsn(Opcodes.INVOKESTATIC, STATICS, "end", "(I)V", false);
      }
      super.visitInsn(opcode);
    }

    @Override
    public void visitMaxs(int stack, int locals) {
      if (isInitialized) {
        mv.visitLabel(to);
        mv.visitTryCatchBlock(from, to, to, null);
        mv.visitLdcInsn(app.number(owner));
        mv.visitInsn(Opcodes.SWAP);
        mv.visitMethodInsn(
            Opcodes.INVOKESTATIC, STATICS, "fail", "(ILjava/lang/Throwable;)V", false);
        mv.visitInsn(Opcodes.RETURN);
      }
      // The initialiser's own variables begin at 0, where the argument lies: it is read before.
      super.visitMaxs(stack + 2, Math.max(1, locals));
    }

    private void clear(StaticField field) {
      Type type = Type.getType(field.type());
      if (field.value() == null) {
        mv.visitInsn(zero(type));
      } else {
        mv.visitLdcInsn(field.value());
      }
      mv.visitFieldInsn(Opcodes.PUTSTATIC, owner, field.name(), field.type());
    }

    private static int zero(Type type) {
      return switch (type.getSort()) {
        case Type.LONG -> Opcodes.LCONST_0;
        case Type.FLOAT -> Opcodes.FCONST_0;
        case Type.DOUBLE -> Opcodes.DCONST_0;
        case Type.OBJECT, Type.ARRAY -> Opcodes.ACONST_NULL;
        default -> Opcodes.ICONST_0;
      };
    }
  }
}
