// The facts about one class of the app that decide how its static fields are treated.
package dev.retap.agent.rewrite.statics;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * @param hasInitializer whether it has a static initialiser
 * @param hasVariables whether it has static fields that are not constants
 * @param hasDefaults whether it is an interface with methods that have code
 * @param staticFields the names of its static fields
 */
record ClassFacts(
    String name,
    String parent,
    List<String> interfaces,
    boolean isInterface,
    boolean hasInitializer,
    boolean hasVariables,
    boolean hasDefaults,
    Set<String> staticFields) {
  static ClassFacts of(byte[] classFile) {
    ClassReader reader = new ClassReader(classFile);
    Set<String> fields = new HashSet<>();
    boolean[] found = new boolean[3];
    reader.accept(
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public FieldVisitor visitField(
              int access, String name, String type, String signature, Object value) {
            if ((access & Opcodes.ACC_STATIC) != 0) {
              fields.add(name);
              found[1] |= value == null || (access & Opcodes.ACC_FINAL) == 0;
            }
            return null;
          }

          @Override
          public MethodVisitor visitMethod(
              int access, String name, String type, String signature, String[] exceptions) {
            found[0] |= name.equals("<clinit>");
            found[2] |= (access & (Opcodes.ACC_STATIC | Opcodes.ACC_ABSTRACT)) == 0;
            return null;
          }
        },
        ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    boolean isInterface = (reader.getAccess() & Opcodes.ACC_INTERFACE) != 0;
    return new ClassFacts(
        reader.getClassName(),
        reader.getSuperName(),
        List.of(reader.getInterfaces()),
        isInterface,
        found[0],
        found[1],
        isInterface && found[2],
        fields);
  }
}
