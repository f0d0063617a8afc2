// The units of one class. JaCoCo's own walk over the class file numbers the probes; our code links
// the instructions, and JaCoCo's filters drop what does not count.
package dev.retap.agent.coverage;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jacoco.core.internal.analysis.filter.IFilterContext;
import org.jacoco.core.internal.flow.ClassProbesAdapter;
import org.jacoco.core.internal.flow.ClassProbesVisitor;
import org.jacoco.core.internal.flow.MethodProbesVisitor;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.Attribute;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.MethodNode;

final class ClassUnits extends ClassProbesVisitor implements IFilterContext {
  private final List<UnitTable.Method> methods = new ArrayList<>();
  private final Set<String> annotations = new HashSet<>();
  private final Set<String> attributes = new HashSet<>();
  private String name;
  private String parent;
  private String source;
  private int probes;

  private ClassUnits() {}

  static ClassUnits of(ClassReader classFile) {
    ClassUnits units = new ClassUnits();
    classFile.accept(new ClassProbesAdapter(units, false), 0);
    return units;
  }

  int probes() {
    return probes;
  }

  List<UnitTable.Method> methods() {
    return methods;
  }

  @Override
  public void visit(
      int version, int access, String name, String signature, String parent, String[] interfaces) {
    this.name = name;
    this.parent = parent;
  }

  @Override
  public void visitSource(String source, String debug) {
    this.source = source;
  }

  @Override
  public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
    annotations.add(descriptor);
    return null;
  }

  @Override
  public void visitAttribute(Attribute attribute) {
    attributes.add(attribute.type);
  }

  @Override
  public MethodProbesVisitor visitMethod(
      int access, String method, String descriptor, String signature, String[] exceptions) {
    return new MethodFlow() {
      @Override
      void done(MethodNode node, Map<AbstractInsnNode, Instruction> instructions, int firstProbe) {
        List<Instruction> left = FilteredMethod.of(node, instructions, ClassUnits.this);
        String methodName = name.replace('/', '.') + "." + method + descriptor;
        methods.add(new UnitTable.Method(methodName, file(), firstProbe, left));
      }
    };
  }

  @Override
  public void visitTotalProbeCount(int count) {
    probes = count;
  }

  /**
   * Returns the file that line numbers refer to: the source file, or the class if it names none.
   */
  private String file() {
    String folder = name.substring(0, name.lastIndexOf('/') + 1);
    return source == null ? name : folder + source;
  }

  @Override
  public String getClassName() {
    return name;
  }

  @Override
  public String getSuperClassName() {
    return parent;
  }

  @Override
  public Set<String> getClassAnnotations() {
    return annotations;
  }

  @Override
  public Set<String> getClassAttributes() {
    return attributes;
  }

  @Override
  public String getSourceFileName() {
    return source;
  }

  @Override
  public String getSourceDebugExtension() {
    return null;
  }
}
