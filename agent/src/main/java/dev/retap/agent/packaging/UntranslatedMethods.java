// The classes with a method that dex2jar cannot translate. They stay as they are in the APK.
package dev.retap.agent.packaging;

import com.googlecode.d2j.Method;
import com.googlecode.d2j.dex.DexExceptionHandler;
import com.googlecode.d2j.node.DexMethodNode;
import java.util.Map;
import java.util.TreeMap;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

final class UntranslatedMethods implements DexExceptionHandler {
  private final Map<String, String> reasons = new TreeMap<>();

  /** Returns, for each class by its internal name, why it cannot be translated. */
  Map<String, String> reasons() {
    return reasons;
  }

  @Override
  public void handleFileException(Exception e) {
    throw new IllegalArgumentException("the dex code cannot be read: " + e, e);
  }

  @Override
  public void handleMethodTranslateException(
      Method method, DexMethodNode node, MethodVisitor visitor, Exception e) {
    String owner = method.getOwner();
    reasons.putIfAbsent(
        owner.substring(1, owner.length() - 1), method.getName() + " cannot be translated: " + e);
    // Any body serves, because the translated class is not used.
    visitor.visitInsn(Opcodes.ACONST_NULL);
    visitor.visitInsn(Opcodes.ATHROW);
  }
}
