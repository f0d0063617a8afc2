// Inserts probes with JaCoCo's instrumenter. Each method gets its class's array from Probes. No
// field or method is added to the class, so an app that inspects itself sees no difference.
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

  /**
   * Returns the class with probes. Like translated dex it has no stack maps: the JVM does not
   * verify it.
   */
  static byte[] insert(ClassReader classFile, int classIndex) {
    ClassWriter writer = new ClassWriter(classFile, 0);
    ProbeInserter inserter = new ProbeInserter(classIndex);
    ClassInstrumenter instrumenter =
        new ClassInstrumenter(inserter, writer) {
          @Override
          public MethodProbesVisitor visitMethod(
              int access, String name, String type, String signature, String[] exceptions) {
            // The garbage collector decides when a finalizer runs, so its probes do not count.
            inserter.inFinalizer = name.equals("finalize") && type.equals("()V");
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
        Opcodes.INVOKESTATIC, PROBES, inFinalizer ? "uncounted" : "of", "(I)[Z", false);
    out.visitVarInsn(Opcodes.ASTORE, variable);
    return 1;
  }

  @Override
  public void addMembers(ClassVisitor out, int probeCount) {}
}
