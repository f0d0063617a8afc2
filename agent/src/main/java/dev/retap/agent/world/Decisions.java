// The decisions of a world: every draw from its seed, numbered from zero. A world may take its
// first
// decisions from one seed and the rest from another, so that two worlds can be compared that differ
// in one decision and what follows from it. Worlds that are compared describe that decision.
package dev.retap.agent.world;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Supplier;

public final class Decisions {
  private static final long NEVER = Long.MAX_VALUE;

  private static Plan plan = new Plan(0, NEVER, NEVER);
  private static long count;
  private static Decision described;

  /** Says what the main thread would do next. */
  private static Supplier<String> mainTask = () -> "";

  /** How threads were started, in worlds that describe a decision. */
  private static final Map<Thread, Start> STARTS = new WeakHashMap<>();

  private Decisions() {}

  /**
   * Where the decisions of a world come from.
   *
   * @param otherSeed the seed of the decisions from the switch on
   * @param switchAt the number of the first of them
   * @param describedAt the number of the decision to describe
   */
  public record Plan(long otherSeed, long switchAt, long describedAt) {}

  /**
   * A thread that could run.
   *
   * @param stack what it does, if it has run before
   * @param start how it was started, or null for the main thread
   */
  public record Candidate(Thread thread, boolean hasRun, StackTraceElement[] stack, Start start) {}

  /**
   * How a thread was started.
   *
   * @param runs the class whose method run it begins with
   */
  public record Start(String runs, StackTraceElement[] stack) {}

  /**
   * A decision.
   *
   * @param candidates the threads of which one was chosen; empty if a number was drawn
   * @param chosen the thread that runs, or the one that drew a number
   * @param mainTask what the main thread would do next
   * @param value the number that was drawn
   */
  public record Decision(
      List<Candidate> candidates, Candidate chosen, String mainTask, long value) {}

  /** Sets the plan of the next world. */
  public static void plan(Plan next) {
    plan = next;
  }

  public static void setMainTask(Supplier<String> task) {
    mainTask = task;
  }

  /** Returns the number of decisions so far. */
  public static long count() {
    return count;
  }

  /** Returns the decision that was to be described, or null if the world never came to it. */
  public static Decision described() {
    return described;
  }

  static void begin() {
    count = 0;
    described = null;
    STARTS.clear();
  }

  /** Forgets the plan: the next world is one of its seed alone. */
  static void end() {
    plan = new Plan(0, NEVER, NEVER);
  }

  static boolean hasOtherSeed() {
    return plan.switchAt != NEVER;
  }

  static long otherSeed() {
    return plan.otherSeed;
  }

  /** Counts a decision; returns true if it comes from the world's own seed. */
  static boolean isOwn() {
    return count++ < plan.switchAt;
  }

  /** Notes where a thread is started. */
  static void noteStart(Thread thread) {
    if (plan.describedAt != NEVER) {
      Object target = thread.getClass() == Thread.class ? target(thread) : null;
      String runs = (target == null ? thread : target).getClass().getName();
      STARTS.put(thread, new Start(runs, new Throwable().getStackTrace()));
    }
  }

  /** Notes the last decision, which was about threads. */
  static void noteOrder(List<AppThread> threads, AppThread chosen) {
    if (isToBeDescribed()) {
      List<Candidate> candidates = new ArrayList<>();
      for (AppThread thread : threads) {
        candidates.add(candidate(thread));
      }
      described = new Decision(candidates, candidate(chosen), mainTask.get(), 0);
    }
  }

  /** Notes the last decision, which was a number for the current thread. */
  static void noteValue(long value) {
    if (isToBeDescribed()) {
      Thread thread = Thread.currentThread();
      Candidate drawing = new Candidate(thread, true, thread.getStackTrace(), STARTS.get(thread));
      described = new Decision(List.of(), drawing, "", value);
    }
  }

  /** Returns what a thread was made to run. It forgets that when it ends. */
  private static Object target(Thread thread) {
    Object target = field(thread, "target");
    // Newer JDKs keep it elsewhere.
    Object holder = target == null ? field(thread, "holder") : null;
    return holder == null ? target : field(holder, "task");
  }

  private static Object field(Object owner, String name) {
    try {
      Class<?> type = owner instanceof Thread ? Thread.class : owner.getClass();
      Field field = type.getDeclaredField(name);
      field.setAccessible(true);
      return field.get(owner);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null;
    }
  }

  private static boolean isToBeDescribed() {
    return count - 1 == plan.describedAt && described == null;
  }

  private static Candidate candidate(AppThread thread) {
    return new Candidate(
        thread.thread, thread.hasRun, thread.thread.getStackTrace(), STARTS.get(thread.thread));
  }
}
