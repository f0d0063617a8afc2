// Inserts probes with JaCoCo's instrumenter. Each method gets its class's array by a call. No field
// or method is added to the class, so an app that inspects itself sees no difference.
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
  /** Keeps the probes of an app on the embedded device. */
  private static final String AGENT = "dev/retap/agent/coverage/Probes";

  /** Keeps the probes of an instrumented app, which carries this class. */
  private static final String APP = "dev/retap/probes/Probes";

  private final String keeper;
  private final int[] arguments;
  private boolean inFinalizer;

  private ProbeInserter(String keeper, int... arguments) {
    this.keeper = keeper;
    this.arguments = arguments;
  }

  /** Returns the class with probes for the embedded device. */
  static byte[] insertForAgent(ClassReader classFile, int classIndex) {
    return insert(classFile, new ProbeInserter(AGENT, classIndex));
  }

  /** Returns the class with probes for an instrumented app. */
  static byte[] insertForApp(ClassReader classFile, int classIndex, int probes) {
    return insert(classFile, new ProbeInserter(APP, classIndex, probes));
  }

  /**
   * Returns the class with probes. Like translated dex it has no stack maps: the JVM does not
   * verify it.
   */
  private static byte[] insert(ClassReader classFile, ProbeInserter inserter) {
    ClassWriter writer = new ClassWriter(classFile, 0);
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
    for (int argument : arguments) {
      InstrSupport.push(out, argument);
    }
    String type = "(" + "I".repeat(arguments.length) + ")[Z";
    String method = inFinalizer ? "uncounted" : "of";
    out.visitMethodInsn(Opcodes.INVOKESTATIC, keeper, method, type, false);
    out.visitVarInsn(Opcodes.ASTORE, variable);
    return arguments.length;
  }

  @Override
  public void addMembers(ClassVisitor out, int probeCount) {}
}
