// The agent's side of the protocol: answers one request after the other until the other side hangs
// up.
package dev.retap.agent;

import dev.retap.agent.coverage.CountedClasses;
import dev.retap.agent.coverage.Probes;
import dev.retap.agent.host.DecisionText;
import dev.retap.agent.host.HeapLimiter;
import dev.retap.agent.host.Host;
import dev.retap.agent.host.ThreadEntries;
import dev.retap.agent.host.Watchdog;
import dev.retap.agent.prepare.PreparedApk;
import dev.retap.agent.profile.FlightRecording;
import dev.retap.agent.wire.Event;
import dev.retap.agent.wire.Install;
import dev.retap.agent.wire.KeptData;
import dev.retap.agent.wire.Observation;
import dev.retap.agent.wire.Packet;
import dev.retap.agent.wire.Phone;
import dev.retap.agent.wire.TestContinue;
import dev.retap.agent.wire.TestReport;
import dev.retap.agent.wire.TestStart;
import dev.retap.agent.wire.Transfer;
import dev.retap.agent.world.Decisions;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

final class Server {
  static final int VERSION = 9;

  /** The longest frame that is read. */
  private static final int MOST_BYTES = 64 << 20;

  private static final int HELLO = 1;
  private static final int INSTALL = 2;
  private static final int RESET = 3;
  private static final int PERFORM = 4;
  private static final int SCREENSHOT = 5;
  private static final int QUIT = 6;
  private static final int UPDATE = 7;
  private static final int KEEP_DATA = 8;
  private static final int START_TESTS = 9;
  private static final int CONTINUE_TESTS = 10;
  private static final int KEPT_SCREEN = 11;
  private static final int DECISIONS = 12;
  private static final int READ_CONTENT = 13;
  private static final int ERROR = 255;

  private final DataInputStream in;
  private final DataOutputStream out;
  private final Probes.Collector probes = Probes.collector();
  private final HeapLimiter heap = new HeapLimiter();
  private Host host;
  private Watchdog watchdog;
  private Phone phone;
  private DecisionText decisions;
  private byte[] lastScreen;
  private boolean ended;

  Server(InputStream in, OutputStream out) {
    this.in = new DataInputStream(in);
    this.out = new DataOutputStream(new BufferedOutputStream(out, 1 << 16));
  }

  void run() throws IOException {
    while (!ended) {
      byte[] body;
      try {
        body = receive();
      } catch (EOFException e) {
        return;
      }
      Packet request = new Packet(body);
      // The reply carries it back. Nothing else in this process knows it.
      long nonce = request.readI64();
      int kind = request.readU8();
      Packet reply;
      try {
        reply = answer(kind, request);
      } catch (Exception | LinkageError e) {
        reply = new Packet().u8(ERROR).string(e.getClass().getName()).string(message(e));
      }
      send(new Packet().i64(nonce).raw(reply.body()).body());
      heap.collectIfLarge();
    }
  }

  private Packet answer(int kind, Packet request) throws Exception {
    switch (kind) {
      case HELLO:
        int version = request.readU16();
        if (version != VERSION) {
          ended = true;
          throw new IOException("protocol " + version + " asked for, " + VERSION + " spoken");
        }
        return new Packet().u8(HELLO).u16(VERSION);
      case INSTALL:
        return install(request);
      case RESET:
        long seed = request.readI64();
        Phone reset = requirePhone();
        return new Packet().u8(PERFORM).raw(observe(() -> reset.reset(seed)));
      case PERFORM:
        Event event = Event.read(request);
        Phone performing = requirePhone();
        return new Packet().u8(PERFORM).raw(observe(() -> performing.perform(event)));
      case SCREENSHOT:
        Packet picture = new Packet().u8(SCREENSHOT).blob(host.onMain(requirePhone()::screenshot));
        // Drawing runs code of the app, but a screenshot is no event and covers nothing.
        probes.clear();
        return picture;
      case UPDATE:
        long worldSeed = request.readI64();
        KeptData old = KeptData.read(request);
        Phone updated = requirePhone();
        return new Packet().u8(PERFORM).raw(observe(() -> updated.update(worldSeed, old)));
      case KEEP_DATA:
        Packet data = new Packet().u8(KEEP_DATA);
        host.onMain(requirePhone()::keepData).write(data);
        return data;
      case START_TESTS:
        TestStart start = TestStart.read(request);
        return runTests(() -> requirePhone().startTests(start));
      case CONTINUE_TESTS:
        TestContinue how = TestContinue.read(request);
        return runTests(() -> requirePhone().continueTests(how));
      case KEPT_SCREEN:
        Packet kept = new Packet().u8(KEPT_SCREEN);
        host.onMain(requirePhone()::keptScreen).write(kept);
        return kept;
      case DECISIONS:
        Packet decided = new Packet().u8(DECISIONS).i64(Decisions.count());
        List<String> words = decisions.describe(Decisions.described());
        decided.u16(words.size());
        words.forEach(decided::string);
        return decided;
      case READ_CONTENT:
        String uri = request.readString();
        Packet content = new Packet().u8(READ_CONTENT);
        content.blob(host.onMain(() -> requirePhone().readContent(uri)));
        // The app answers, but a question from outside is no event and covers nothing.
        probes.clear();
        return content;
      case QUIT:
        ended = true;
        FlightRecording.end();
        return new Packet().u8(QUIT);
      default:
        throw new IOException("unknown request " + kind);
    }
  }

  private Packet install(Packet request) throws Exception {
    if (phone != null) {
      throw new IllegalStateException("an app is installed already; start another agent");
    }
    List<Path> apks = Event.strings(request).stream().map(Path::of).toList();
    Path cache = Path.of(request.readString());
    Path androidJars = Path.of(request.readString());
    int api = request.readU16();
    int width = request.readI32();
    int height = request.readI32();
    int dpi = request.readU16();
    boolean navigationBar = request.readU8() != 0;
    var outside = Event.strings(request);
    List<String> counting = request.readString().lines().toList();
    List<Path> tests = Event.strings(request).stream().map(Path::of).toList();
    host = new Host(api, androidJars);
    PreparedApk prepared = PreparedApk.of(apks, tests, cache, api, host.androidJar());
    CountedClasses counted = CountedClasses.of(prepared.translated(), counting, prepared::rewriter);
    probes.count(counted.probes());
    phone = host.createPhone();
    watchdog = new Watchdog(host, phone);
    decisions = new DecisionText(phone, new ThreadEntries(prepared.classes()));
    Install install =
        new Install(
            prepared.apkPaths(),
            prepared.testPaths(),
            prepared.classes().toString(),
            counted.probed().toString(),
            prepared.sharesClasses(),
            width,
            height,
            dpi,
            navigationBar,
            outside);
    host.onMain(
        () -> {
          phone.install(install);
          return null;
        });
    return new Packet().u8(INSTALL).string(cache.relativize(counted.folder()).toString());
  }

  /** Runs a part of an instrumentation; its reports and transfers come before the observation. */
  private Packet runTests(Callable<Observation> part) throws Exception {
    byte[] observation = observe(part);
    List<TestReport> reports = requirePhone().takeReports();
    Packet reply = new Packet().u8(START_TESTS).u16(reports.size());
    reports.forEach(report -> report.write(reply));
    Transfer.writeAll(requirePhone().takeTransfers(), reply);
    return reply.raw(observation);
  }

  /** Runs a step. If the app does not respond, the answer is the last one of this process. */
  private byte[] observe(Callable<Observation> step) throws Exception {
    long begin = System.nanoTime();
    Observation observation;
    try {
      observation = watchdog.run(step);
    } catch (Exception | LinkageError e) {
      probes.clear();
      throw e;
    }
    ended = observation.outcome() == Observation.Outcome.NOT_RESPONDING;
    Packet body = new Packet();
    observation.write(body, lastScreen);
    lastScreen = observation.screen();
    probes.drain(body);
    long micros = (System.nanoTime() - begin) / 1000;
    return new Packet().i64(micros).raw(body.body()).body();
  }

  private Phone requirePhone() {
    if (phone == null) {
      throw new IllegalStateException("no app is installed");
    }
    return phone;
  }

  private byte[] receive() throws IOException {
    int length = in.readInt();
    if (length < 1 || length > MOST_BYTES) {
      throw new IOException("frame of " + length + " bytes");
    }
    byte[] body = new byte[length];
    in.readFully(body);
    return body;
  }

  private void send(byte[] body) throws IOException {
    out.writeInt(body.length);
    out.write(body);
    out.flush();
  }

  private static String message(Throwable e) {
    StringBuilder text = new StringBuilder(String.valueOf(e.getMessage()));
    for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
      text.append("; ").append(cause);
    }
    return text.toString();
  }
}
