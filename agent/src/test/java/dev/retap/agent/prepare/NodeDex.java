// A dex file with one class, LTable;, that a test put together.
package dev.retap.agent.prepare;

import com.googlecode.d2j.DexConstants;
import com.googlecode.d2j.node.DexFileNode;
import com.googlecode.d2j.reader.BaseDexFileReader;
import com.googlecode.d2j.visitors.DexFileVisitor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.zip.ZipFile;

record NodeDex(DexFileNode file) implements BaseDexFileReader {
  /** Loads the class from the jar of a translation. */
  static Class<?> load(Path jar, UnaryOperator<byte[]> change) throws IOException {
    byte[] bytes;
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      bytes = change.apply(zip.getInputStream(zip.getEntry("Table.class")).readAllBytes());
    }
    return new ClassLoader() {
      Class<?> define() {
        return defineClass("Table", bytes, 0, bytes.length);
      }
    }.define();
  }

  @Override
  public int getDexVersion() {
    return DexConstants.DEX_035;
  }

  @Override
  public List<String> getClassNames() {
    return List.of("LTable;");
  }

  @Override
  public void accept(DexFileVisitor out) {
    file.accept(out);
  }

  @Override
  public void accept(DexFileVisitor out, int config) {
    file.accept(out);
  }

  @Override
  public void accept(DexFileVisitor out, int classNumber, int config) {
    file.accept(out);
  }
}
