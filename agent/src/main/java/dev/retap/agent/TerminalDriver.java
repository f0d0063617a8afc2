// Performs random events on an APK from a terminal, without the Rust side. It prints events a
// second, processor time, outcomes, a digest of all screens, and the cost of coverage for the
// packages under --count.
package dev.retap.agent;

import com.sun.management.OperatingSystemMXBean;
import dev.retap.agent.coverage.CountedClasses;
import dev.retap.agent.coverage.Probes;
import dev.retap.agent.host.Host;
import dev.retap.agent.host.Watchdog;
import dev.retap.agent.prepare.PreparedApk;
import dev.retap.agent.wire.Event;
import dev.retap.agent.wire.Install;
import dev.retap.agent.wire.Observation;
import dev.retap.agent.wire.Packet;
import dev.retap.agent.wire.Phone;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

final class TerminalDriver {
  private static final Probes.Collector PROBES = Probes.collector();
  private static final int WIDTH = 1080;
  private static final int HEIGHT = 1920;
  private static final int DPI = 420;

  /** The number of crashes that are printed. */
  private static final int MOST_CRASHES = 20;

  private final Host host;
  private final Phone phone;
  private final Watchdog watchdog;
  private final Map<Observation.Outcome, Integer> outcomes = new TreeMap<>();
  private long digest;
  private int resets;
  private long resetNanos;
  private long resetCpuNanos;
  private long drainNanos;
  private long drainedBytes;

  private TerminalDriver(Host host, Install install) {
    this.host = host;
    phone = host.createPhone();
    host.onMain(
        () -> {
          phone.install(install);
          return null;
        });
    watchdog = new Watchdog(host, phone);
  }

  static void run(String[] arguments) throws Exception {
    Map<String, String> options = new TreeMap<>();
    for (int i = 0; i + 1 < arguments.length; i += 2) {
      options.put(arguments[i], arguments[i + 1]);
    }
    int api = Integer.parseInt(options.getOrDefault("--api", "28"));
    int events = Integer.parseInt(options.getOrDefault("--events", "100"));
    int restart = Integer.parseInt(options.getOrDefault("--restart", "1000000"));
    Random random = new Random(Long.parseLong(options.getOrDefault("--seed", "1")));
    String png = options.get("--png");
    long start = System.nanoTime();
    Host host = new Host(api, Path.of(options.get("--android")));
    Install install = prepare(options, api, host.androidJar());
    TerminalDriver driver = new TerminalDriver(host, install);
    Observation first = driver.watchdog.run(() -> driver.phone.reset(1));
    System.out.printf("first screen %d ms: %s%n", millis(start), first.outcome());
    show(first);
    if (options.containsKey("--log")) {
      first.log().stream()
          .filter(l -> l.contains(options.get("--log")))
          .forEach(System.out::println);
    }
    driver.writePicture(png);
    if (driver.drive(events, restart, random)) {
      driver.writePicture(png == null ? null : png + ".last.png");
    }
  }

  private static Install prepare(Map<String, String> options, int api, Path framework)
      throws Exception {
    long start = System.nanoTime();
    List<Path> apks =
        Stream.of(options.get("--drive").split(File.pathSeparator)).map(Path::of).toList();
    PreparedApk apk =
        PreparedApk.of(apks, List.of(), Path.of(options.get("--cache")), api, framework);
    CountedClasses counted = countClasses(apk, options.getOrDefault("--count", " "));
    PROBES.count(counted.probes());
    System.out.printf(
        "prepared %d ms, %d classes counted in %s%n",
        millis(start), counted.probes().length, counted.folder());
    return new Install(
        apk.apkPaths(),
        apk.testPaths(),
        apk.classes().toString(),
        counted.probed().toString(),
        apk.sharesClasses(),
        WIDTH,
        HEIGHT,
        DPI,
        false,
        List.of());
  }

  private void writePicture(String file) throws IOException {
    if (file != null) {
      Files.write(Path.of(file), host.onMain(phone::screenshot));
    }
  }

  /**
   * Performs random events and prints a summary. Returns false if the app stops responding.
   *
   * @param restart the number of events after which the app is installed anew
   */
  private boolean drive(int events, int restart, Random random) throws Exception {
    long firstEvent = System.nanoTime();
    long firstCpu = cpuNanos();
    for (int i = 0; i < events; i++) {
      Event event = drawEvent(random);
      Observation observation = watchdog.run(() -> phone.perform(event));
      record(observation);
      if (observation.outcome() == Observation.Outcome.NOT_RESPONDING) {
        // Only a new process can go on from here.
        System.out.println(event + " -> " + observation.detail());
        return false;
      }
      if (observation.outcome() != Observation.Outcome.RUNNING || i % restart == restart - 1) {
        if (observation.outcome() == Observation.Outcome.CRASHED && resets < MOST_CRASHES) {
          System.out.println(event + " -> " + innermost(observation.detail()));
        }
        reset();
      }
    }
    double cpuMillis = (cpuNanos() - firstCpu - resetCpuNanos) / 1e6;
    printSummary(events, (System.nanoTime() - firstEvent - resetNanos) / 1e9);
    System.out.printf(
        "processor time: %.1f ms an event, %.1f ms a reset%n",
        cpuMillis / Math.max(1, events), resetCpuNanos / 1e6 / Math.max(1, resets));
    return true;
  }

  private void record(Observation observation) {
    long start = System.nanoTime();
    Packet coverage = new Packet();
    PROBES.drain(coverage);
    drainNanos += System.nanoTime() - start;
    drainedBytes += coverage.size();
    outcomes.merge(observation.outcome(), 1, Integer::sum);
    digest = digest * 31 + Arrays.hashCode(observation.screen()) + observation.outcome().ordinal();
  }

  private void reset() throws Exception {
    long start = System.nanoTime();
    long startCpu = cpuNanos();
    watchdog.run(() -> phone.reset(1));
    resetNanos += System.nanoTime() - start;
    resetCpuNanos += cpuNanos() - startCpu;
    resets++;
  }

  private void printSummary(int events, double seconds) {
    System.out.printf(
        "%d events, %.0f/s, %s, %d resets of %d ms, digest %x%n",
        events,
        events / seconds,
        outcomes,
        resets,
        resets == 0 ? 0 : resetNanos / resets / 1_000_000,
        digest);
    System.out.printf(
        "coverage: %d bytes and %.0f microseconds an event, %.1f%% of it%n",
        drainedBytes / Math.max(1, events),
        drainNanos / 1e3 / Math.max(1, events),
        drainNanos / 1e7 / seconds);
  }

  /** Counts all classes of the app whose internal names begin with the prefix. */
  private static CountedClasses countClasses(PreparedApk apk, String prefix) throws Exception {
    try (ZipFile classes = new ZipFile(apk.translated().toFile())) {
      List<String> names =
          classes.stream()
              .map(ZipEntry::getName)
              .filter(name -> name.startsWith(prefix) && name.endsWith(".class"))
              .map(name -> name.substring(0, name.length() - 6))
              .toList();
      return CountedClasses.of(apk.translated(), names, apk::rewriter);
    }
  }

  private static Event drawEvent(Random random) {
    int kind = random.nextInt(100);
    int x = random.nextInt(WIDTH);
    int y = random.nextInt(HEIGHT);
    if (kind < 75) {
      return new Event.Tap(x, y);
    }
    if (kind < 82) {
      return new Event.LongPress(x, y);
    }
    if (kind < 90) {
      return new Event.Drag(x, y, random.nextInt(WIDTH), random.nextInt(HEIGHT), 200);
    }
    return new Event.Key(kind < 97 ? "back" : "menu");
  }

  /** Returns the innermost cause of a stack and its first frames. */
  private static String innermost(String stack) {
    int cause = stack.lastIndexOf("Caused by: ");
    return stack.substring(Math.max(0, cause)).lines().limit(6).collect(Collectors.joining("\n"));
  }

  private static void show(Observation observation) {
    observation.limitations().forEach(System.out::println);
    System.out.println(innermost(observation.detail()));
    observation.limitations().forEach(System.out::println);
    System.out.println("screen of " + observation.screen().length + " bytes");
  }

  /** Returns the processor time of all threads, the compiler's and the collector's included. */
  private static long cpuNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static long millis(long since) {
    return (System.nanoTime() - since) / 1_000_000;
  }
}
