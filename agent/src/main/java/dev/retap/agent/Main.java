// The agent's entry point. Without arguments it speaks the protocol of docs/agent.md over the
// socket that it inherits as standard input. `--framework` and `--runtime` prepare an API level,
// `--classes` lists what the JVM archives and `--trial` tries a start, `--inventory` lists what a
// level consists of, `--coverage` writes a report, `--profile` reads a flight recording,
// `--make-dex`
// and `--sign` serve `retap instrument`, and `--drive` tries an APK from a terminal.
package dev.retap.agent;

import dev.retap.agent.coverage.XmlReport;
import dev.retap.agent.host.ClassDataList;
import dev.retap.agent.host.Host;
import dev.retap.agent.host.Inventory;
import dev.retap.agent.packaging.Packaging;
import dev.retap.agent.prepare.NativeFiles;
import dev.retap.agent.profile.SampleText;
import dev.retap.agent.rewrite.FrameworkArchive;
import dev.retap.agent.rewrite.WorldAgent;
import dev.retap.agent.world.jdk.AgentDescriptors;
import java.io.IOException;
import java.nio.channels.Channel;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    int status = 0;
    try {
      String framework = System.getProperty("retap.framework");
      if (framework != null) {
        WorldAgent.setArchive(new FrameworkArchive(Path.of(framework)));
      }
      if (arguments.length == 5 && arguments[0].equals("--coverage")) {
        XmlReport.write(
            Path.of(arguments[1]), Path.of(arguments[2]), Path.of(arguments[3]), arguments[4]);
      } else if (arguments.length == 3 && arguments[0].equals("--profile")) {
        SampleText.write(Path.of(arguments[1]), Path.of(arguments[2]));
      } else if (arguments.length == 4 && arguments[0].equals("--framework")) {
        Path jar = findJar(Path.of(arguments[2]));
        Path to = Path.of(arguments[3]);
        Host.writeArchive(Integer.parseInt(arguments[1]), jar, to);
        NativeFiles.unpack(jar, to);
      } else if (arguments.length == 3 && arguments[0].equals("--classes")) {
        ClassDataList.write(new FrameworkArchive(Path.of(arguments[1])), Path.of(arguments[2]));
      } else if (arguments.length == 3 && arguments[0].equals("--trial")) {
        Host host = new Host(Integer.parseInt(arguments[1]), Path.of(arguments[2]));
        host.createPhone();
        host.linkArchive();
      } else if (arguments.length == 4 && arguments[0].equals("--inventory")) {
        Path jar = findJar(Path.of(arguments[2]));
        Inventory.write(Integer.parseInt(arguments[1]), jar, Path.of(arguments[3]));
      } else if (arguments.length == 2 && arguments[0].equals("--make-dex")) {
        Packaging.makeDex(Path.of(arguments[1]));
      } else if (arguments.length == 2 && arguments[0].equals("--sign")) {
        Packaging.sign(Path.of(arguments[1]));
      } else if (arguments.length == 2 && arguments[0].equals("--runtime")) {
        NativeFiles.unpack(Path.of(arguments[1]));
      } else if (arguments.length > 0) {
        TerminalDriver.run(arguments);
      } else {
        Channel channel = System.inheritedChannel();
        if (!(channel instanceof SocketChannel socket)) {
          System.err.println("retap-agent: standard input must be a socket; see docs/agent.md");
          System.exit(2);
          return;
        }
        AgentDescriptors.reserve(socket);
        new Server(Channels.newInputStream(socket), Channels.newOutputStream(socket)).run();
      }
    } catch (Throwable e) {
      e.printStackTrace();
      status = 4;
    }
    // App threads must not keep the process alive.
    Runtime.getRuntime().halt(status);
  }

  private static Path findJar(Path folder) throws IOException {
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(folder, "*.jar")) {
      return jars.iterator().next();
    }
  }
}
