// The phone's shell for tests that call UiAutomation.executeShellCommand. As on a phone a command
// is split at spaces and nothing else: there are no pipes, quotes or variables.
package dev.retap.agent.device.instrument.shell;

import android.os.ParcelFileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

public final class Shell {
  private final ActivityCommands activities;
  private final PackageCommands packages;
  private final InputCommands input;
  private final PhoneCommands phone;
  private final ServiceDumps dumps;

  public Shell(PhoneControl control) {
    dumps = new ServiceDumps(control);
    activities = new ActivityCommands(control);
    packages = new PackageCommands(control, dumps);
    input = new InputCommands(control);
    phone = new PhoneCommands(control);
  }

  /**
   * Runs a command and writes what it says.
   *
   * @param errors where complaints go, or null if nobody reads them
   */
  public void run(String command, ParcelFileDescriptor output, ParcelFileDescriptor errors) {
    ShellAnswer answer = answer(List.of(command.trim().split("\\s+")));
    write(output, answer.output());
    write(errors, answer.errors().getBytes(StandardCharsets.UTF_8));
  }

  private static void write(ParcelFileDescriptor to, byte[] bytes) {
    if (to == null) {
      return;
    }
    try (FileOutputStream out = new FileOutputStream(to.getFileDescriptor())) {
      out.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ShellAnswer answer(List<String> words) {
    List<String> rest = words.subList(1, words.size());
    try {
      return run(words.get(0), rest);
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      return ShellAnswer.complain("Error: bad arguments: " + String.join(" ", words));
    }
  }

  private ShellAnswer run(String name, List<String> arguments) {
    return switch (name) {
      case "am" -> activities.run(arguments);
      case "pm" -> packages.run(arguments);
      case "input" -> input.run(arguments);
      case "dumpsys" -> dumps.run(arguments);
      case "settings" -> SettingsCommands.settings(arguments);
      case "content" -> SettingsCommands.content(arguments);
      case "getprop" -> SettingsCommands.property(arguments);
      case "setprop" -> SettingsCommands.setProperty(arguments);
      case "cmd" -> service(arguments);
      case "echo" -> ShellAnswer.of(String.join(" ", arguments) + "\n");
      default -> phone.run(name, arguments);
    };
  }

  /** Runs `cmd SERVICE …`: the services that have a command of their own. */
  private ShellAnswer service(List<String> arguments) {
    List<String> rest = arguments.subList(1, arguments.size());
    return switch (arguments.get(0)) {
      case "activity" -> activities.run(rest);
      case "package" -> packages.run(rest);
      case "input" -> input.run(rest);
      case "settings" -> SettingsCommands.settings(rest);
      case "window" -> phone.run("wm", rest);
      case "uimode", "connectivity" -> phone.run("svc", arguments);
      default -> ShellAnswer.complain("cmd: Can't find service: " + arguments.get(0));
    };
  }
}
