// A decision of a world in words: the thread that ran and the call that it made, or the call that
// drew a number.
package dev.retap.agent.host;

import dev.retap.agent.wire.Phone;
import dev.retap.agent.world.Decisions.Candidate;
import dev.retap.agent.world.Decisions.Decision;
import dev.retap.agent.world.Decisions.Start;
import java.util.ArrayList;
import java.util.List;

public final class DecisionText {
  /** Code of the phone itself. */
  private static final String[] PLATFORM = {
    "java.", "javax.", "jdk.", "sun.", "dalvik.", "libcore.", "android.", "com.android."
  };

  /** Libraries, whose frames say less than those of an app and its tests. */
  private static final String[] LIBRARIES = {
    "androidx.", "kotlin.", "kotlinx.", "org.junit.", "junit."
  };

  /** A part of the names of classes that compilers make for lambdas. */
  private static final String MADE_CLASS = "SyntheticLambda";

  private final Phone phone;
  private final ThreadEntries entries;

  public DecisionText(Phone phone, ThreadEntries entries) {
    this.phone = phone;
    this.entries = entries;
  }

  /**
   * Returns what was decided, what was chosen, and what else could have been; nothing for no
   * decision.
   */
  public List<String> describe(Decision decision) {
    if (decision == null) {
      return List.of();
    }
    List<String> lines = new ArrayList<>();
    if (decision.candidates().isEmpty()) {
      lines.add("number");
      lines.add(describe(decision.chosen(), ""));
      return lines;
    }
    lines.add("thread");
    lines.add(describe(decision.chosen(), decision.mainTask()));
    for (Candidate candidate : decision.candidates()) {
      if (candidate.thread() != decision.chosen().thread()) {
        lines.add(describe(candidate, decision.mainTask()));
      }
    }
    return lines;
  }

  private String describe(Candidate candidate, String mainTask) {
    Thread thread = candidate.thread();
    StringBuilder text = new StringBuilder("thread \"").append(thread.getName()).append('"');
    List<String> frames = phone.frames(candidate.stack());
    Start start = candidate.start();
    if (!candidate.hasRun() && start != null) {
      text.append(" begins with ").append(entries.of(start.runs()));
    } else if (own(frames) != null) {
      text.append(" goes on in ").append(place(frames));
    } else if (start == null && !mainTask.isEmpty()) {
      text.append(" takes the message ").append(mainTask);
    } else if (!frames.isEmpty()) {
      text.append(" goes on in ").append(frames.get(0));
    }
    String starter = start == null ? null : own(phone.frames(start.stack()));
    if (starter != null) {
      text.append(", started in ").append(starter);
    }
    return text.toString();
  }

  /** Returns the app's call, and what it called if that is of the phone. */
  private static String place(List<String> frames) {
    String own = own(frames);
    int at = frames.indexOf(own);
    if (at == 0) {
      return own;
    }
    String called = frames.get(at - 1);
    return own + ", which calls " + called.substring(0, called.indexOf('('));
  }

  /** Returns the first frame of the app or its tests, or of a library, or null. */
  private static String own(List<String> frames) {
    String ofLibrary = null;
    for (String frame : frames) {
      if (startsWithAny(frame, PLATFORM) || frame.contains(MADE_CLASS)) {
        continue;
      }
      if (!startsWithAny(frame, LIBRARIES)) {
        return frame;
      }
      ofLibrary = ofLibrary == null ? frame : ofLibrary;
    }
    return ofLibrary;
  }

  private static boolean startsWithAny(String text, String[] prefixes) {
    for (String prefix : prefixes) {
      if (text.startsWith(prefix)) {
        return true;
      }
    }
    return false;
  }
}
