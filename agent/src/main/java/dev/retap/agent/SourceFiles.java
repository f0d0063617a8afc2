// The file each class was compiled from, as the dex says. The translator drops it, and a stack
// trace without it has no line numbers.
package dev.retap.agent;

import com.googlecode.d2j.reader.DexFileReader;
import com.googlecode.d2j.reader.MultiDexFileReader;
import com.googlecode.d2j.visitors.DexClassVisitor;
import com.googlecode.d2j.visitors.DexFileVisitor;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

final class SourceFiles {
  private SourceFiles() {}

  /** By internal class name. */
  static Map<String, String> of(byte[] apk) throws IOException {
    Map<String, String> sources = new HashMap<>();
    MultiDexFileReader.open(apk)
        .accept(
            new DexFileVisitor() {
              @Override
              public DexClassVisitor visit(
                  int access, String name, String parent, String[] interfaces) {
                String type = name.substring(1, name.length() - 1);
                return new DexClassVisitor() {
                  @Override
                  public void visitSource(String file) {
                    if (file != null) {
                      sources.putIfAbsent(type, file);
                    }
                  }
                };
              }
            },
            DexFileReader.SKIP_CODE | DexFileReader.SKIP_ANNOTATION | DexFileReader.SKIP_FIELD_CONSTANT);
    return sources;
  }
}
