// `am`: starting, stopping and telling apps. Android's own code reads the intents.
package dev.retap.agent.device.instrument.shell;

import android.app.ActivityManager;
import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.os.Binder;
import android.os.ShellCommand;
import android.os.SystemClock;
import dev.retap.agent.device.clock.MainThread;
import dev.retap.agent.device.reflect.FrameworkFields;
import java.io.FileDescriptor;
import java.net.URISyntaxException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.robolectric.RuntimeEnvironment;

final class ActivityCommands {
  /** Options of `am` that take a value, which this phone has one of. */
  private static final Set<String> WITH_VALUE =
      Set.of("--user", "--display", "--windowingMode", "--activityType", "-R", "--task");

  private static final int LOOK_EVERY_MILLIS = 10;
  private static final int LAUNCH_MILLIS = 10_000;

  private final PhoneControl phone;

  ActivityCommands(PhoneControl phone) {
    this.phone = phone;
  }

  ShellAnswer run(List<String> words) {
    return switch (words.get(0)) {
      case "start", "start-activity" -> start(words);
      case "broadcast" -> broadcast(words);
      case "startservice", "start-service" -> serve(words, false);
      case "start-foreground-service" -> serve(words, true);
      case "force-stop" -> stop(words.get(words.size() - 1));
      case "send-trim-memory" -> trim();
      case "get-current-user" -> ShellAnswer.of("0\n");
        // Only processes in the background end, and the test's is in front.
      case "kill", "kill-all" -> ShellAnswer.NOTHING;
      default -> ShellAnswer.complain("Unknown command: " + words.get(0));
    };
  }

  private ShellAnswer start(List<String> words) {
    IntentArguments arguments = new IntentArguments(words);
    Intent intent = arguments.intent();
    if (arguments.options.contains("-S")) {
      stop(String.valueOf(packageOf(intent)));
    }
    intent.addFlags(Intent.FLAG_ACTIVITY_NEW_TASK);
    String said = "Starting: " + intent + "\n";
    long before = SystemClock.uptimeMillis();
    int result = phone.start().applyAsInt(intent);
    if (result == constant("START_CLASS_NOT_FOUND")) {
      String name = intent.getComponent().flattenToShortString();
      return ShellAnswer.of(said)
          .but("Error type 3\nError: Activity class {" + name + "} does not exist.");
    }
    if (result == constant("START_INTENT_NOT_RESOLVED")) {
      return ShellAnswer.of(said).but("Error: Activity not started, unable to resolve " + intent);
    }
    if (arguments.options.contains("-W")) {
      waitFor(intent.getComponent());
      long passed = SystemClock.uptimeMillis() - before;
      ComponentName front = phone.front().get();
      said +=
          "Status: ok\nLaunchState: WARM\nActivity: "
              + (front == null ? "" : front.flattenToShortString())
              + ("\nTotalTime: " + passed + "\nWaitTime: " + passed + "\nComplete\n");
    }
    return ShellAnswer.of(said);
  }

  private void waitFor(ComponentName started) {
    long latest = SystemClock.uptimeMillis() + LAUNCH_MILLIS;
    do {
      MainThread.pause(LOOK_EVERY_MILLIS);
    } while (SystemClock.uptimeMillis() < latest
        && (phone.windows().get().isEmpty()
            || started != null && !started.equals(phone.front().get())));
  }

  private static String packageOf(Intent intent) {
    return intent.getComponent() == null
        ? intent.getPackage()
        : intent.getComponent().getPackageName();
  }

  private ShellAnswer broadcast(List<String> words) {
    Intent intent = new IntentArguments(words).intent();
    phone.broadcast().accept(intent);
    return ShellAnswer.of("Broadcasting: " + intent + "\nBroadcast completed: result=0\n");
  }

  private static ShellAnswer serve(List<String> words, boolean inForeground) {
    Intent intent = new IntentArguments(words).intent();
    ShellAnswer said = ShellAnswer.of("Starting service: " + intent + "\n");
    Context context = RuntimeEnvironment.getApplication();
    ComponentName started =
        inForeground ? context.startForegroundService(intent) : context.startService(intent);
    return started == null ? said.but("Error: Not found; no service started.") : said;
  }

  /** Ends the process of the app, and with it the test that runs there. */
  private ShellAnswer stop(String packageName) {
    if (packageName.equals(RuntimeEnvironment.getApplication().getPackageName())) {
      phone.kill().run();
    }
    return ShellAnswer.NOTHING;
  }

  private ShellAnswer trim() {
    phone.change().apply("low_memory", List.of());
    return ShellAnswer.NOTHING;
  }

  private static int constant(String name) {
    return (Integer) FrameworkFields.getStatic(ActivityManager.class, name);
  }

  /** The arguments of a command, as Android's own shell commands hold them. */
  private static final class IntentArguments extends ShellCommand {
    /** Options that are not part of the intent. */
    final Set<String> options = new HashSet<>();

    IntentArguments(List<String> words) {
      String[] arguments = words.toArray(new String[0]);
      FileDescriptor none = new FileDescriptor();
      init(new Binder(), none, none, none, arguments, 1);
    }

    Intent intent() {
      try {
        return Intent.parseCommandArgs(
            this,
            (option, command) -> {
              options.add(option);
              if (WITH_VALUE.contains(option)) {
                command.getNextArgRequired();
              }
              return true;
            });
      } catch (URISyntaxException e) {
        throw new IllegalArgumentException(e);
      }
    }

    @Override
    public int onCommand(String command) {
      return 0;
    }

    @Override
    public void onHelp() {}
  }
}
