// The framework's classes come with every method split in two: a wrapper that asks at run time
// whether a shadow takes the call, and the real code behind it. Where no shadow ever can, the
// wrapper calls the real code directly; elsewhere the question is asked once (see Linkage). This is
// most of the speed of the device: asking costs several frames and a guard at each call.
package dev.retap.agent;

import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

final class DirectCalls extends ClassVisitor {
  static final String ASKING = "org/robolectric/internal/bytecode/InvokeDynamicSupport";
  private static final String LINKAGE = "dev/retap/agent/shadow/Linkage";

  private final ShadowedNames shadowed;
  private String name;

  DirectCalls(ClassVisitor next, ShadowedNames shadowed) {
    super(Opcodes.ASM9, next);
    this.shadowed = shadowed;
  }

  @Override
  public void visit(
      int version, int access, String name, String signature, String parent, String[] faces) {
    this.name = name;
    super.visit(version, access, name, signature, parent, faces);
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String method, String descriptor, String signature, String[] exceptions) {
    MethodVisitor next = super.visitMethod(access, method, descriptor, signature, exceptions);
    return new MethodVisitor(Opcodes.ASM9, next) {
      @Override
      public void visitInvokeDynamicInsn(
          String called, String type, Handle bootstrap, Object... arguments) {
        if (!bootstrap.getOwner().equals(ASKING) || bootstrap.getName().equals("bootstrapIntrinsic")) {
          super.visitInvokeDynamicInsn(called, type, bootstrap, arguments);
        } else if (isOriginal(arguments) && shadowed.neverShadowed(name, called)) {
          Handle real = (Handle) arguments[0];
          super.visitMethodInsn(
              real.getTag() == Opcodes.H_INVOKESTATIC ? Opcodes.INVOKESTATIC : Opcodes.INVOKESPECIAL,
              real.getOwner(),
              real.getName(),
              real.getDesc(),
              real.isInterface());
        } else {
          super.visitInvokeDynamicInsn(
              called,
              type,
              new Handle(
                  bootstrap.getTag(), LINKAGE, bootstrap.getName(), bootstrap.getDesc(), false),
              arguments);
        }
      }
    };
  }

  /** Whether there is real code: what was native on a phone is the shadow's or the host's to give. */
  private static boolean isOriginal(Object[] arguments) {
    return arguments.length == 2 && arguments[1].equals(0);
  }
}
