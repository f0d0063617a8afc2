// The texts of a phone's kernel that an app can read.
package dev.retap.agent.device.system.hardware;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

final class SystemTexts {
  static final String PROCESSOR =
      """
      processor	: %d
      BogoMIPS	: 38.40
      Features	: fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics fphp asimdhp
      CPU implementer	: 0x51
      CPU architecture: 8
      CPU variant	: 0x7
      CPU part	: 0x803
      CPU revision	: 12

      """;

  static final String MEMORY =
      """
      MemTotal:        3748920 kB
      MemFree:          412736 kB
      MemAvailable:    1873416 kB
      Buffers:            9812 kB
      Cached:          1481320 kB
      SwapCached:        10236 kB
      Active:          1399012 kB
      Inactive:         902400 kB
      SwapTotal:       1048572 kB
      SwapFree:         801276 kB
      Dirty:               144 kB
      Writeback:             0 kB
      AnonPages:        806020 kB
      Mapped:           596340 kB
      Shmem:             14620 kB
      Slab:             240124 kB
      """;

  /** The names of events in the log: of all of Android's, the first. */
  static final String EVENT_TAGS =
      """
      42 answer (to life the universe etc|3)
      314 pi
      2718 e
      2719 configuration_changed (config mask|1|5)
      2720 sync (id|3),(event|1|5),(source|1|5),(account|1|5)
      2722 battery_level (level|1|6),(voltage|1|1),(temperature|1|1)
      2740 location_controller
      2741 force_gc (reason|3)
      2742 tickle (authority|3)
      52000 db_sample (db|3),(sql|3),(time|1|3),(blocking_package|3),(sample_percent|1|6)
      """;

  static final String FILE_SYSTEMS =
      """
      nodev	sysfs
      nodev	rootfs
      nodev	tmpfs
      nodev	bdev
      nodev	proc
      nodev	cgroup
      nodev	debugfs
      nodev	pipefs
      nodev	devpts
      	ext3
      	ext2
      	ext4
      	vfat
      nodev	sdcardfs
      	fuseblk
      nodev	fuse
      	f2fs
      nodev	selinuxfs
      """;

  static final String MOUNTS =
      """
      /dev/root / ext4 ro,seclabel,relatime 0 0
      tmpfs /dev tmpfs rw,seclabel,nosuid,relatime,mode=755 0 0
      devpts /dev/pts devpts rw,seclabel,relatime,mode=600,ptmxmode=000 0 0
      proc /proc proc rw,relatime,gid=3009,hidepid=2 0 0
      sysfs /sys sysfs rw,seclabel,relatime 0 0
      /dev/block/sda9 /vendor ext4 ro,seclabel,relatime 0 0
      /dev/block/sda13 /data f2fs rw,seclabel,nosuid,nodev,noatime 0 0
      tmpfs /storage tmpfs rw,seclabel,nosuid,nodev,noexec,relatime,mode=755,gid=1000 0 0
      /data/media /storage/emulated sdcardfs rw,nosuid,nodev,noexec,noatime 0 0
      """;

  static final String KERNEL =
      "Linux version 4.9.96-g340a32f4f1ca (android-build@abfarm) (Android clang version 5.0.2)"
          + " #0 SMP PREEMPT Wed Sep 5 00:00:00 UTC 2018\n";

  static final String COUNTS =
      """
      intr 9000000 0 0 0 0
      ctxt 15000000
      btime 1600000000
      processes 12000
      procs_running 1
      procs_blocked 0
      softirq 3000000 0 900000 10000 30000 0 0 200000 1000000 0 860000
      """;

  static final String MAPS =
      """
      12c00000-2ac00000 rw-p 00000000 00:05 10000 /dev/ashmem/dalvik-main space (deleted)
      70a0b000-70cd3000 rw-p 00000000 fd:00 600 /data/dalvik-cache/arm64/system@framework@boot.art
      7a10000000-7a10100000 r-xp 00000000 103:0c 1200 /system/lib64/libc.so
      7fd0000000-7fd0021000 rw-p 00000000 00:00 0 [stack]
      """;

  static final String INTERFACES =
      """
      Inter-|   Receive                            |  Transmit
       face |bytes packets errs drop fifo frame compressed multicast|bytes packets errs drop
          lo:       0       0    0    0    0     0          0         0        0       0    0    0
       wlan0:       0       0    0    0    0     0          0         0        0       0    0    0
      """;

  static final String FONTS =
      """
      <?xml version="1.0" encoding="utf-8"?>
      <familyset version="23">
          <family name="sans-serif">
              <font weight="400" style="normal">Roboto-Regular.ttf</font>
              <font weight="700" style="normal">Roboto-Bold.ttf</font>
          </family>
          <alias name="arial" to="sans-serif" />
      </familyset>
      """;

  private SystemTexts() {}

  static String processStat(int pid) {
    return pid
        + " (main) S 1 1 0 0 -1 1077936448 20000 0 100 0 150 50 0 0 10 -10 20 0 100000"
        + " 4000000000 25000 18446744073709551615 1 1 0 0 0 0 4612 1 1073775864 0 0 0 17 0 0 0 0"
        + " 0 0 0 0 0 0 0 0 0 0\n";
  }

  static String processStatus(int pid, int uid) {
    return "Name:\tmain\nState:\tS (sleeping)\nTgid:\t"
        + pid
        + "\nPid:\t"
        + pid
        + "\nPPid:\t1\nTracerPid:\t0\nUid:\t"
        + (uid + "\t" + uid + "\t" + uid + "\t" + uid)
        + "\nFDSize:\t128\nVmPeak:\t4000000 kB\nVmSize:\t4000000 kB\nVmHWM:\t110000 kB"
        + "\nVmRSS:\t100000 kB\nThreads:\t20\n";
  }

  /** Returns a number of /proc/meminfo, in kilobytes. */
  static long memory(String name) {
    Matcher line = Pattern.compile(name + ": *(\\d+)").matcher(MEMORY);
    if (!line.find()) {
      throw new IllegalArgumentException(name);
    }
    return Long.parseLong(line.group(1));
  }
}
