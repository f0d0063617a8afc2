// Tests that JaCoCo's own reader understands what an instrumented app hands over.
package dev.retap.probes;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jacoco.core.data.ExecutionDataStore;
import org.jacoco.core.tools.ExecFileLoader;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public final class ExecutionDataTest {
  private static final int CLASSES = 200;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void jacocoReadsWhatWasExecutedAndNothingElse() throws IOException {
    File apk = writeApk();
    Probes.of(0, 3)[1] = true;
    // Far beyond the first array of arrays, and more probes than seven bits count.
    Probes.of(CLASSES - 1, 300)[299] = true;
    Probes.of(7, 5);
    Probes.uncounted(8, 1)[0] = true;

    ExecutionDataStore kept = read(apk, false);
    assertEquals(2, kept.getContents().size());
    assertArrayEquals(new boolean[] {false, true, false}, kept.get(1000).getProbes());
    assertEquals("a/C199", kept.get(1000 + CLASSES - 1).getName());
    assertEquals(true, kept.get(1000 + CLASSES - 1).getProbes()[299]);

    ExecutionDataStore taken = read(apk, true);
    assertEquals(2, taken.getContents().size());
    assertNull(read(apk, true).get(1000));
    Probes.of(0, 3)[2] = true;
    assertArrayEquals(new boolean[] {false, false, true}, read(apk, true).get(1000).getProbes());
  }

  private static ExecutionDataStore read(File apk, boolean clears) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ExecutionData.write(apk, out, clears);
    ExecFileLoader loader = new ExecFileLoader();
    loader.load(new ByteArrayInputStream(out.toByteArray()));
    return loader.getExecutionDataStore();
  }

  private File writeApk() throws IOException {
    File apk = folder.newFile("app.apk");
    try (ZipOutputStream zip = new ZipOutputStream(new FileOutputStream(apk))) {
      zip.putNextEntry(new ZipEntry("retap/probes.table"));
      DataOutputStream table = new DataOutputStream(zip);
      table.writeInt(CLASSES);
      for (int i = 0; i < CLASSES; i++) {
        table.writeLong(1000 + i);
        table.writeUTF("a/C" + i);
      }
      table.flush();
    }
    return apk;
  }
}
