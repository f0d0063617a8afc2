// The message about a field of null, in Android's words. The JVM names only the field; the byte
// code of the method that threw tells its class and type. If it leaves a choice, the message stays.
package dev.retap.agent.device.outcome;

import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

final class FieldMessage {
  /** The first level that names the method, too. */
  private static final int FIRST_WITH_METHOD = 33;

  private static final String INITIALIZER = "<clinit>";

  private static final Pattern ACCESS =
      Pattern.compile("Cannot (read|assign) field \"([^\"]+)\"(?s:.*)");

  private FieldMessage() {}

  /** A field, by the class that the code finds it in. */
  private record AccessedField(String owner, String type) {}

  /**
   * Translates the message.
   *
   * @param thrower the frame that threw
   */
  static String of(String message, StackTraceElement thrower, ClassLoader loader, int level)
      throws ClassNotFoundException {
    Matcher access = ACCESS.matcher(message);
    byte[] code = access.matches() ? ClassFiles.read(loader, thrower.getClassName()) : null;
    if (code == null) {
      return message;
    }
    boolean isRead = access.group(1).equals("read");
    String name = access.group(2);
    Accesses found = new Accesses(isRead ? Opcodes.GETFIELD : Opcodes.PUTFIELD, name, thrower);
    new ClassReader(code).accept(found, ClassReader.SKIP_FRAMES);
    boolean namesMethod = level >= FIRST_WITH_METHOD;
    if (found.fields.size() != 1 || namesMethod && found.methods.size() != 1) {
      return message;
    }
    AccessedField accessed = found.fields.iterator().next();
    Class<?> declaring = declaring(accessed, name, loader);
    if (declaring == null) {
      return message;
    }
    return "Attempt to %s field '%s %s.%s' on a null object reference%s"
        .formatted(
            isRead ? "read from" : "write to",
            Type.getType(accessed.type).getClassName(),
            declaring.getTypeName(),
            name,
            namesMethod ? " in method '" + found.methods.iterator().next() + "'" : "");
  }

  /** Returns the class that declares the field: the one that the code names, or a parent of it. */
  private static Class<?> declaring(AccessedField accessed, String name, ClassLoader loader)
      throws ClassNotFoundException {
    Class<?> type = Class.forName(accessed.owner.replace('/', '.'), false, loader);
    for (; type != null; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (field.getName().equals(name)
            && Type.getDescriptor(field.getType()).equals(accessed.type)) {
          return type;
        }
      }
    }
    return null;
  }

  /** Collects where the code at a frame reads or writes a field of this name. */
  private static final class Accesses extends ClassVisitor {
    final Set<AccessedField> fields = new HashSet<>();
    final Set<String> methods = new HashSet<>();
    private final int opcode;
    private final String field;
    private final StackTraceElement frame;

    Accesses(int opcode, String field, StackTraceElement frame) {
      super(Opcodes.ASM9);
      this.opcode = opcode;
      this.field = field;
      this.frame = frame;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String raw, String descriptor, String signature, String[] exceptions) {
      String method = StackText.originalName(raw);
      if (!method.equals(StackText.originalName(frame.getMethodName()))) {
        return null;
      }
      return new MethodVisitor(Opcodes.ASM9) {
        private int line = -1;

        @Override
        public void visitLineNumber(int number, Label start) {
          line = number;
        }

        @Override
        public void visitFieldInsn(int code, String owner, String name, String type) {
          boolean isHere = frame.getLineNumber() < 0 || frame.getLineNumber() == line;
          if (isHere && code == opcode && name.equals(field)) {
            fields.add(new AccessedField(owner, type));
            methods.add(pretty(method, descriptor));
          }
        }
      };
    }

    private String pretty(String method, String descriptor) {
      Type type = Type.getMethodType(method.equals(INITIALIZER) ? "()V" : descriptor);
      return Arrays.stream(type.getArgumentTypes())
          .map(Type::getClassName)
          .collect(
              Collectors.joining(
                  ", ",
                  type.getReturnType().getClassName()
                      + " "
                      + frame.getClassName()
                      + "."
                      + method
                      + "(",
                  ")"));
    }
  }
}
