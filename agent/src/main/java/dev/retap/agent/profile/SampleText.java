// The samples of a flight recording as text that retap reads, one thing a line, its parts separated
// by tabs:
//
//   frame   KIND  NAME          a frame, numbered from 0. KIND: interpreted, compiled, native
//   sample  TIME  THREAD  STACK a running thread; STACK has the numbers of its frames, outermost
//                               first, separated by spaces
//   load    BEGIN END  THREAD   a class was loaded and defined
//
// Times are nanoseconds since 1970. A frame stands before the first sample that has it.
package dev.retap.agent.profile;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

public final class SampleText {
  private final Map<String, Integer> frames = new LinkedHashMap<>();
  private final BufferedWriter out;

  private SampleText(BufferedWriter out) {
    this.out = out;
  }

  /** Writes what the recording holds to a new file. */
  public static void write(Path recording, Path to) throws IOException {
    try (RecordingFile events = new RecordingFile(recording);
        BufferedWriter out = Files.newBufferedWriter(to)) {
      SampleText text = new SampleText(out);
      while (events.hasMoreEvents()) {
        text.add(events.readEvent());
      }
    }
  }

  private void add(RecordedEvent event) throws IOException {
    switch (event.getEventType().getName()) {
      case "jdk.ExecutionSample", "jdk.NativeMethodSample" -> addSample(event);
      case "jdk.ClassLoad" ->
          line(
              "load",
              nanos(event.getStartTime()),
              nanos(event.getEndTime()),
              number(event.getThread()));
      default -> {}
    }
  }

  private void addSample(RecordedEvent event) throws IOException {
    RecordedStackTrace trace = event.getStackTrace();
    if (trace == null) {
      return;
    }
    List<RecordedFrame> frames = new ArrayList<>(trace.getFrames());
    Collections.reverse(frames);
    StringJoiner stack = new StringJoiner(" ");
    for (int i = 0; i < frames.size(); i++) {
      boolean isInnermost = i + 1 == frames.size();
      if (isInnermost || !FrameName.isCarrier(frames.get(i), frames.get(i + 1))) {
        stack.add(Integer.toString(number(frames.get(i))));
      }
    }
    line("sample", nanos(event.getStartTime()), number(event.getThread("sampledThread")), stack);
  }

  /** Returns the number of a frame, and writes the frame if it is new. */
  private int number(RecordedFrame frame) throws IOException {
    String kind =
        switch (frame.getType()) {
          case "Interpreted" -> "interpreted";
          case "Native" -> "native";
          default -> "compiled";
        };
    String name = FrameName.of(frame);
    String described = kind + "\t" + name;
    Integer known = frames.putIfAbsent(described, frames.size());
    if (known != null) {
      return known;
    }
    line("frame", kind, name);
    return frames.size() - 1;
  }

  private static long number(RecordedThread thread) {
    return thread == null ? 0 : thread.getOSThreadId();
  }

  private static long nanos(Instant time) {
    return time.getEpochSecond() * 1_000_000_000 + time.getNano();
  }

  private void line(Object first, Object... more) throws IOException {
    out.write(first.toString());
    for (Object part : more) {
      out.write('\t');
      out.write(part.toString());
    }
    out.write('\n');
  }
}
