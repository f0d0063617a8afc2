// Lets the framework's methods call their code directly. Robolectric splits each method in two: a
// wrapper that asks at run time whether a shadow takes the call, and the original code.
// MergedMethods joins most of them. What is left, such as a constructor, calls the original code if
// no shadow can ever take the call; otherwise it asks once (see ShadowBootstrap). Most of the
// device's speed comes from this: asking costs several frames and a guard at each call.
package dev.retap.agent.rewrite;

import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

final class DirectCalls extends ClassVisitor {
  static final String ROBOLECTRIC_BOOTSTRAP =
      "org/robolectric/internal/bytecode/InvokeDynamicSupport";
  private static final String OUR_BOOTSTRAP = "dev/retap/agent/shadow/ShadowBootstrap";

  private static final String COPY = "(Ljava/lang/Object;ILjava/lang/Object;II)V";

  private final ShadowedMethods shadowed;
  private String name;

  DirectCalls(ClassVisitor next, ShadowedMethods shadowed) {
    super(Opcodes.ASM9, next);
    this.shadowed = shadowed;
  }

  @Override
  public void visit(
      int version, int access, String name, String signature, String parent, String[] interfaces) {
    this.name = name;
    super.visit(version, access, name, signature, parent, interfaces);
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String method, String descriptor, String signature, String[] exceptions) {
    MethodVisitor next = super.visitMethod(access, method, descriptor, signature, exceptions);
    return new MethodVisitor(Opcodes.ASM9, next) {
      @Override
      public void visitInvokeDynamicInsn(
          String called, String type, Handle bootstrap, Object... arguments) {
        boolean intrinsic = bootstrap.getName().equals("bootstrapIntrinsic");
        if (intrinsic && called.equals("arraycopy") && type.equals(COPY)) {
          // Through a handle, HotSpot turns a wrong index into a NullPointerException.
          super.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/System", called, type, false);
        } else if (!bootstrap.getOwner().equals(ROBOLECTRIC_BOOTSTRAP) || intrinsic) {
          super.visitInvokeDynamicInsn(called, type, bootstrap, arguments);
        } else if (isWrapped(bootstrap, arguments) && !shadowed.canBeShadowed(name, called)) {
          Handle original = (Handle) arguments[0];
          super.visitMethodInsn(
              original.getTag() == Opcodes.H_INVOKESTATIC
                  ? Opcodes.INVOKESTATIC
                  : Opcodes.INVOKESPECIAL,
              original.getOwner(),
              original.getName(),
              original.getDesc(),
              original.isInterface());
        } else {
          super.visitInvokeDynamicInsn(
              called,
              type,
              new Handle(
                  bootstrap.getTag(),
                  OUR_BOOTSTRAP,
                  bootstrap.getName(),
                  bootstrap.getDesc(),
                  false),
              arguments);
        }
      }
    };
  }

  /** Returns true for a call of original code. A method that is native on a phone has none. */
  static boolean isWrapped(Handle bootstrap, Object[] arguments) {
    return bootstrap.getOwner().equals(ROBOLECTRIC_BOOTSTRAP)
        && arguments.length == 2
        && arguments[1].equals(0);
  }
}
