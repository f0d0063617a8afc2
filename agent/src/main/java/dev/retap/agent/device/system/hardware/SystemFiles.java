// The files of the system that an app can read: a phone's /proc, /sys and /system, and the folders
// above its own. They are written once, and the app's paths lead to them.
package dev.retap.agent.device.system.hardware;

import android.content.pm.ApplicationInfo;
import android.os.Process;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.world.jdk.PhonePaths;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

public final class SystemFiles {
  private static final String FONTS = "robolectric.nativeruntime.fontdir";

  /** The folder that holds them; it outlives the app's data, because no app can change it. */
  private static SystemFiles written;

  private final Path root;
  private final ApplicationInfo app;
  private final int processors;

  /** The processes that were shown beside the main one since the system's start. */
  private final Set<Integer> added = new TreeSet<>();

  /** The folder of the fonts, or null; the property is gone when the next process starts. */
  private final String fonts = System.getProperty(FONTS);

  private SystemFiles(Path root, ApplicationInfo app, int processors) {
    this.root = root;
    this.app = app;
    this.processors = processors;
  }

  /** Writes the files, unless they are there, and makes them known under their names. */
  public static SystemFiles mount(ApplicationInfo app, int processors) {
    try {
      if (written == null || !written.app.packageName.equals(app.packageName)) {
        Path root = Files.createTempDirectory("retap-system").toRealPath();
        written = new SystemFiles(root, app, processors);
        written.write();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("files of the system", e);
    }
    // Its static initialiser loads the phone's fonts if it finds them, which this host does itself.
    FrameworkCalls.type("android.graphics.Typeface");
    PhonePaths.mapSystem(written.pairs().toArray(new String[0]));
    written.added.forEach(written::removeProcess);
    written.added.clear();
    return written;
  }

  /** Shows another process of the app. */
  public void addProcess(int pid, String name) {
    try {
      added.add(pid);
      put("proc/" + pid + "/cmdline", name + "\0");
      put("proc/" + pid + "/stat", SystemTexts.processStat(pid));
      put("proc/" + pid + "/status", SystemTexts.processStatus(pid, app.uid));
    } catch (IOException e) {
      throw new UncheckedIOException("files of a process", e);
    }
  }

  /** Hides a process that has ended. */
  public void removeProcess(int pid) {
    try {
      for (String name : List.of("cmdline", "stat", "status", "")) {
        Files.deleteIfExists(root.resolve("proc/" + pid + "/" + name));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("files of a process", e);
    }
  }

  private List<String> pairs() {
    List<String> pairs = new ArrayList<>();
    if (fonts != null) {
      pairs.addAll(List.of("/system/fonts", Path.of(fonts).toString()));
      pairs.addAll(List.of("/system/etc/fonts.xml", Path.of(fonts, "fonts.xml").toString()));
    }
    pairs.addAll(List.of("/proc/" + Process.myPid(), root + "/proc/self"));
    for (String name : List.of("/proc", "/sys", "/system", "/vendor", "/data", "/storage")) {
      pairs.addAll(List.of(name, root + name));
    }
    return pairs;
  }

  private void write() throws IOException {
    put("proc/cpuinfo", cpuInfo());
    put("proc/meminfo", SystemTexts.MEMORY);
    put("proc/filesystems", SystemTexts.FILE_SYSTEMS);
    put("proc/mounts", SystemTexts.MOUNTS);
    put("proc/version", SystemTexts.KERNEL);
    put("proc/stat", processorTimes());
    put("proc/uptime", "100000.00 360000.00\n");
    put("proc/loadavg", "1.00 1.00 1.00 1/900 4000\n");
    int pid = Process.myPid();
    put("proc/self/cmdline", app.processName + "\0");
    put("proc/self/stat", SystemTexts.processStat(pid));
    put("proc/self/statm", "1000000 25000 15000 10 0 50000 0\n");
    put("proc/self/status", SystemTexts.processStatus(pid, app.uid));
    put("proc/self/mounts", SystemTexts.MOUNTS);
    put("proc/self/maps", SystemTexts.MAPS);
    put("proc/self/cgroup", "2:cpuset:/foreground\n1:cpuacct:/\n0::/\n");
    put("proc/self/oom_adj", "0\n");
    put("proc/self/oom_score_adj", "0\n");
    put("proc/net/dev", SystemTexts.INTERFACES);
    put("system/etc/hosts", "127.0.0.1       localhost\n::1             ip6-localhost\n");
    put("system/etc/event-log-tags", SystemTexts.EVENT_TAGS);
    put("system/etc/fonts.xml", SystemTexts.FONTS);
    put("system/build.prop", buildProperties());
    for (String name : List.of("app", "bin", "fonts", "framework", "lib", "priv-app", "xbin")) {
      Files.createDirectories(root.resolve("system").resolve(name));
    }
    for (String name :
        List.of("data/app", "data/data", "data/user/0", "data/user_de/0", "storage/self")) {
      Files.createDirectories(root.resolve(name));
    }
    Files.createDirectories(root.resolve("storage/emulated"));
    writeProcessors();
  }

  private void writeProcessors() throws IOException {
    String cpu = "sys/devices/system/cpu/";
    String all = "0-" + (processors - 1) + "\n";
    for (String name : List.of("present", "possible", "online")) {
      put(cpu + name, all);
    }
    put(cpu + "kernel_max", "7\n");
    for (int i = 0; i < processors; i++) {
      String frequency = cpu + "cpu" + i + "/cpufreq/";
      put(frequency + "cpuinfo_min_freq", "300000\n");
      put(frequency + "cpuinfo_max_freq", "1766400\n");
      put(frequency + "scaling_min_freq", "300000\n");
      put(frequency + "scaling_max_freq", "1766400\n");
      put(frequency + "scaling_cur_freq", "1228800\n");
      put(frequency + "scaling_governor", "schedutil\n");
      put(cpu + "cpu" + i + "/online", "1\n");
    }
    put("sys/class/thermal/thermal_zone0/temp", "35000\n");
    put("sys/class/thermal/thermal_zone0/type", "battery\n");
  }

  private String cpuInfo() {
    StringBuilder text = new StringBuilder("Processor\t: AArch64 Processor rev 12 (aarch64)\n");
    for (int i = 0; i < processors; i++) {
      text.append(String.format(SystemTexts.PROCESSOR, i));
    }
    return text + "\nHardware\t: Qualcomm Technologies, Inc SDM845\n";
  }

  private String processorTimes() {
    StringBuilder text = new StringBuilder("cpu  40000 2000 30000 700000 1000 5000 1000 0 0 0\n");
    for (int i = 0; i < processors; i++) {
      text.append("cpu").append(i).append(" 5000 250 3750 87500 125 625 125 0 0 0\n");
    }
    return text + SystemTexts.COUNTS;
  }

  private static String buildProperties() {
    StringBuilder text = new StringBuilder("# begin build properties\n");
    for (Map.Entry<String, String> property : StockBuild.properties().entrySet()) {
      text.append(property.getKey()).append('=').append(property.getValue()).append('\n');
    }
    return text + "# end build properties\n";
  }

  private void put(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
