// JaCoCo's instrumenter with a way of its own to the probes: each method asks Probes for its class's
// array. No field or method is added to the class, so an app that looks at itself sees nothing.
package dev.retap.agent.coverage;

import org.jacoco.core.internal.flow.ClassProbesAdapter;
import org.jacoco.core.internal.flow.MethodProbesVisitor;
import org.jacoco.core.internal.instr.ClassInstrumenter;
import org.jacoco.core.internal.instr.IProbeArrayStrategy;
import org.jacoco.core.internal.instr.InstrSupport;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

final class ProbeInserter implements IProbeArrayStrategy {
  private static final String PROBES = "dev/retap/agent/coverage/Probes";

  private final int classIndex;
  private boolean inFinalizer;

  private ProbeInserter(int classIndex) {
    this.classIndex = classIndex;
  }

  /** Translated dex has no stack maps, and none are made: the host does not verify it. */
  static byte[] insert(ClassReader classFile, int classIndex) {
    ClassWriter writer = new ClassWriter(classFile, 0);
    ProbeInserter pass = new ProbeInserter(classIndex);
    ClassInstrumenter instrumenter =
        new ClassInstrumenter(pass, writer) {
          @Override
          public MethodProbesVisitor visitMethod(
              int access, String name, String type, String signature, String[] exceptions) {
            // The garbage collector decides when it runs, and what that decides must not show.
            pass.inFinalizer = name.equals("finalize") && type.equals("()V");
            return super.visitMethod(access, name, type, signature, exceptions);
          }
        };
    classFile.accept(new ClassProbesAdapter(instrumenter, false), ClassReader.SKIP_FRAMES);
    return writer.toByteArray();
  }

  @Override
  public int storeInstance(MethodVisitor out, boolean inInitializer, int variable) {
    InstrSupport.push(out, classIndex);
    out.visitMethodInsn(
        Opcodes.INVOKESTATIC, PROBES, inFinalizer ? "unseen" : "of", "(I)[Z", false);
    out.visitVarInsn(Opcodes.ASTORE, variable);
    return 1;
  }

  @Override
  public void addMembers(ClassVisitor out, int probeCount) {}
}
