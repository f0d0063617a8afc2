// The screen of a stand-in app: the user can answer a question, pick an item or pass an intent
// on to another app. Where nothing can be done the screen only names the app.
package dev.retap.agent.device.outside;

import android.app.Activity;
import android.content.Context;
import android.content.Intent;
import android.os.Handler;
import android.os.Looper;
import dev.retap.agent.device.outside.OutsideView.Choice;
import dev.retap.agent.device.system.activity.ActivityTaskServer;
import dev.retap.agent.device.system.activity.OutsideVisit;
import dev.retap.agent.device.system.packages.DeclaredComponents;
import dev.retap.agent.device.system.packages.RuntimePermissions;
import java.util.ArrayList;
import java.util.List;

public final class OutsideScreen implements OutsideApps.Presenter {
  private final Context system;
  private final DeclaredComponents components;
  private final OutsideApps apps;
  private final ActivityTaskServer tasks;
  private final RuntimePermissions permissions;
  private final Picker picker;
  private OutsideView view;

  public OutsideScreen(
      Context system,
      DeclaredComponents components,
      OutsideApps apps,
      ActivityTaskServer tasks,
      RuntimePermissions permissions,
      Picker picker) {
    this.system = system;
    this.components = components;
    this.apps = apps;
    this.tasks = tasks;
    this.permissions = permissions;
    this.picker = picker;
  }

  @Override
  public void show(OutsideVisit visit) {
    if (visit.app().equals(StockApps.PERMISSIONS)) {
      String[] asked = RuntimePermissions.asked(visit.intent());
      ask(visit, asked, permissions.questions(asked));
      return;
    }
    String title = OutsideApp.parse(visit.app() + "=").label();
    put(visit, title, visit.app().equals(StockApps.CHOOSER) ? targets(visit) : picks(visit));
  }

  @Override
  public void clear() {
    OutsideView shown = view;
    view = null;
    if (shown != null) {
      onMain(shown::close);
    }
  }

  /** Asks one question after the other, then gives the answer to all. */
  private void ask(OutsideVisit visit, String[] asked, List<String> questions) {
    if (questions.isEmpty()) {
      // Post the answer, because the app is still in the middle of asking.
      new Handler(Looper.getMainLooper())
          .post(
              () -> {
                if (apps.current() == visit) {
                  tasks.returnFromOutside(Activity.RESULT_OK, permissions.result(asked));
                }
              });
      return;
    }
    String question = questions.get(0);
    List<String> others = questions.subList(1, questions.size());
    String title = "Allow " + components.label() + " to " + question + "?";
    put(
        visit,
        title,
        List.of(
            new Choice("Allow", () -> answer(visit, asked, question, true, others)),
            new Choice("Deny", () -> answer(visit, asked, question, false, others))));
  }

  private void answer(
      OutsideVisit visit, String[] asked, String question, boolean allow, List<String> others) {
    permissions.answer(asked, question, allow);
    clear();
    ask(visit, asked, others);
  }

  private List<Choice> picks(OutsideVisit visit) {
    List<Choice> choices = new ArrayList<>();
    String label = picker.label(visit);
    if (visit.wantsResult() && label != null) {
      choices.add(
          new Choice(
              label,
              () -> tasks.returnFromOutside(Activity.RESULT_OK, picker.pick(visit.intent()))));
    }
    return choices;
  }

  private List<Choice> targets(OutsideVisit visit) {
    Intent passed = visit.intent().getParcelableExtra(Intent.EXTRA_INTENT);
    Intent target = passed == null ? visit.intent() : passed;
    List<Choice> choices = new ArrayList<>();
    for (OutsideApp app : sharingApps(target)) {
      choices.add(
          new Choice(
              app.label(),
              () -> {
                clear();
                apps.passOn(visit, app, target);
              }));
    }
    return choices;
  }

  /** Returns the apps that can share the intent; a stock phone shares by message and by mail. */
  private List<OutsideApp> sharingApps(Intent target) {
    List<OutsideApp> takers = new ArrayList<>(apps.takers(target));
    takers.removeIf(app -> app.name().equals(StockApps.CHOOSER));
    String action = String.valueOf(target.getAction());
    if (action.equals(Intent.ACTION_SEND) || action.equals(Intent.ACTION_SEND_MULTIPLE)) {
      takers.addAll(apps.named("com.android.messaging"));
      takers.addAll(apps.named("com.android.email"));
    }
    return takers;
  }

  private void put(OutsideVisit visit, String title, List<Choice> choices) {
    onMain(
        () -> {
          if (apps.current() == visit) {
            view = OutsideView.open(system, visit.app(), title, visit.isOverlay(), choices);
          }
        });
  }

  /** Runs a change on the main thread, which owns the window; apps start others from any thread. */
  private static void onMain(Runnable change) {
    if (Looper.myLooper() == Looper.getMainLooper()) {
      change.run();
    } else {
      new Handler(Looper.getMainLooper()).post(change);
    }
  }
}
