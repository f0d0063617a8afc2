// What the user finds in a stand-in app and can do there: answer a question, pick an item, pass an
// intent on to another app. Where nothing can be done the screen only says which app it is.
package dev.retap.agent.device;

import android.app.Activity;
import android.content.Context;
import android.content.Intent;
import android.os.Handler;
import android.os.Looper;
import dev.retap.agent.device.OutsideView.Choice;
import dev.retap.agent.device.OutsideWorld.Visit;
import java.util.ArrayList;
import java.util.List;

final class OutsideScreen implements OutsideWorld.Stage {
  private final Context system;
  private final Components components;
  private final OutsideWorld world;
  private final ActivityTasks tasks;
  private final Permissions permissions;
  private final Picker picker;
  private OutsideView view;

  OutsideScreen(
      Context system, Components components, OutsideWorld world, ActivityTasks tasks,
      Permissions permissions, Picker picker) {
    this.system = system;
    this.components = components;
    this.world = world;
    this.tasks = tasks;
    this.permissions = permissions;
    this.picker = picker;
  }

  @Override
  public void show(Visit visit) {
    if (visit.app().equals(StockPhone.PERMISSIONS)) {
      ask(visit, Permissions.asked(visit.intent()));
      return;
    }
    String title = OutsideApp.parse(visit.app() + "=").label();
    put(visit, title, visit.app().equals(StockPhone.CHOOSER) ? targets(visit) : picks(visit));
  }

  @Override
  public void clear() {
    OutsideView shown = view;
    view = null;
    if (shown != null) {
      onMain(shown::close);
    }
  }

  /** One question after the other, then the answer to all. */
  private void ask(Visit visit, String[] asked) {
    List<String> questions = permissions.questions(asked);
    next(visit, asked, questions);
  }

  private void next(Visit visit, String[] asked, List<String> questions) {
    if (questions.isEmpty()) {
      // Later, because the app is still in the middle of asking.
      new Handler(Looper.getMainLooper())
          .post(
              () -> {
                if (world.current() == visit) {
                  tasks.outsideDone(Activity.RESULT_OK, permissions.result(asked));
                }
              });
      return;
    }
    String question = questions.get(0);
    List<String> rest = questions.subList(1, questions.size());
    String title = "Allow " + components.label() + " to " + question + "?";
    put(
        visit,
        title,
        List.of(
            new Choice("Allow", () -> answer(visit, asked, question, true, rest)),
            new Choice("Deny", () -> answer(visit, asked, question, false, rest))));
  }

  private void answer(
      Visit visit, String[] asked, String question, boolean allow, List<String> rest) {
    permissions.answer(asked, question, allow);
    clear();
    next(visit, asked, rest);
  }

  private List<Choice> picks(Visit visit) {
    List<Choice> choices = new ArrayList<>();
    String label = picker.label(visit);
    if (visit.resultTo() != null && visit.requestCode() >= 0 && label != null) {
      choices.add(
          new Choice(
              label, () -> tasks.outsideDone(Activity.RESULT_OK, picker.pick(visit.intent()))));
    }
    return choices;
  }

  private List<Choice> targets(Visit visit) {
    Intent passed = visit.intent().getParcelableExtra(Intent.EXTRA_INTENT);
    Intent target = passed == null ? visit.intent() : passed;
    List<Choice> choices = new ArrayList<>();
    for (OutsideApp app : sharing(target)) {
      choices.add(
          new Choice(
              app.label(),
              () -> {
                clear();
                world.passOn(visit, app, target);
              }));
    }
    return choices;
  }

  /** A stock phone shares by message and by mail. */
  private List<OutsideApp> sharing(Intent target) {
    List<OutsideApp> takers = new ArrayList<>(world.takers(target));
    takers.removeIf(app -> app.name().equals(StockPhone.CHOOSER));
    String action = String.valueOf(target.getAction());
    if (action.equals(Intent.ACTION_SEND) || action.equals(Intent.ACTION_SEND_MULTIPLE)) {
      takers.addAll(world.named("com.android.messaging"));
      takers.addAll(world.named("com.android.email"));
    }
    return takers;
  }

  private void put(Visit visit, String title, List<Choice> choices) {
    onMain(
        () -> {
          if (world.current() == visit) {
            view = OutsideView.open(system, visit.app(), title, visit.overlay(), choices);
          }
        });
  }

  /** An app may start another from any thread; its window is the main thread's here. */
  private static void onMain(Runnable change) {
    if (Looper.myLooper() == Looper.getMainLooper()) {
      change.run();
    } else {
      new Handler(Looper.getMainLooper()).post(change);
    }
  }
}
