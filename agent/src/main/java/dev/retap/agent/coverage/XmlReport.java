// Writes JaCoCo's XML report of a run with JaCoCo's own reader, analysis and formatter, from the
// .exec file that retap wrote and the classes that it covers. retap starts the agent for this alone
// after a run.
package dev.retap.agent.coverage;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.tools.ExecFileLoader;
import org.jacoco.report.IReportVisitor;
import org.jacoco.report.xml.XMLFormatter;

public final class XmlReport {
  private XmlReport() {}

  /**
   * @param title the title of the report: the app's package
   */
  public static void write(Path exec, Path classes, Path xml, String title) throws IOException {
    ExecFileLoader executed = new ExecFileLoader();
    executed.load(exec.toFile());
    CoverageBuilder builder = new CoverageBuilder();
    Analyzer analyzer = new Analyzer(executed.getExecutionDataStore(), builder);
    try (InputStream in = new BufferedInputStream(Files.newInputStream(classes))) {
      analyzer.analyzeAll(in, classes.toString());
    }
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(xml))) {
      IReportVisitor report = new XMLFormatter().createVisitor(out);
      report.visitInfo(
          executed.getSessionInfoStore().getInfos(),
          executed.getExecutionDataStore().getContents());
      report.visitBundle(builder.getBundle(title), null);
      report.visitEnd();
    }
  }
}
