// The other apps of the phone: the intents they take, and which of them is in front.
package dev.retap.agent.device.outside;

import android.content.ContentResolver;
import android.content.Context;
import android.content.Intent;
import dev.retap.agent.device.system.activity.ActivityRecord;
import dev.retap.agent.device.system.activity.OutsideActivities;
import dev.retap.agent.device.system.activity.OutsideVisit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

public final class OutsideApps implements OutsideActivities {
  /** Puts a visited app on the screen and takes it off again. */
  public interface Presenter {
    void show(OutsideVisit visit);

    void clear();
  }

  private final List<OutsideApp> apps = new ArrayList<>();
  private final ContentResolver resolver;
  private Presenter presenter;
  private OutsideVisit current;

  /**
   * @param changes to the apps of a stock phone, as {@link StockApps#with} takes them
   */
  public OutsideApps(List<String> changes, ContentResolver resolver) {
    apps.add(OutsideApp.parse(StockApps.PERMISSIONS_APP));
    apps.addAll(StockApps.with(changes));
    this.resolver = resolver;
  }

  public void setPresenter(Presenter presenter) {
    this.presenter = presenter;
  }

  @Override
  public OutsideVisit current() {
    return current;
  }

  @Override
  public boolean visit(Intent intent, ActivityRecord resultTo, String resultWho, int requestCode) {
    OutsideApp app = app(intent);
    if (app == null) {
      return false;
    }
    boolean isOverlay = app.name().equals(StockApps.PERMISSIONS);
    leave();
    current = new OutsideVisit(app.name(), intent, resultTo, resultWho, requestCode, isOverlay);
    presenter.show(current);
    return true;
  }

  /** Passes an intent on to another app; the activity that waits for the result stays the same. */
  void passOn(OutsideVisit visit, OutsideApp app, Intent intent) {
    current =
        new OutsideVisit(
            app.name(), intent, visit.resultTo(), visit.resultWho(), visit.requestCode(), false);
    presenter.show(current);
  }

  /** Returns the app of this package, or nothing. */
  List<OutsideApp> named(String name) {
    return apps.stream().filter(app -> app.name().equals(name)).limit(1).toList();
  }

  @Override
  public OutsideVisit leave() {
    OutsideVisit left = current;
    if (left != null) {
      current = null;
      presenter.clear();
    }
    return left;
  }

  /** Returns every app that takes the intent, each once. */
  List<OutsideApp> takers(Intent intent) {
    Intent typed = withType(intent);
    Map<String, OutsideApp> takers = new LinkedHashMap<>();
    mains(intent).forEach(app -> takers.put(app.name(), app));
    apps.stream().filter(app -> app.takes(typed)).forEach(app -> takers.put(app.name(), app));
    return new ArrayList<>(takers.values());
  }

  /** Returns the app that ACTION_MAIN means by a category or a package. */
  private List<OutsideApp> mains(Intent intent) {
    if (!Intent.ACTION_MAIN.equals(intent.getAction())) {
      return List.of();
    }
    Set<String> categories = intent.getCategories() == null ? Set.of() : intent.getCategories();
    if (categories.contains(Intent.CATEGORY_LAUNCHER) && intent.getPackage() != null) {
      return StockApps.LAUNCHED.contains(intent.getPackage())
          ? named(intent.getPackage())
          : List.of();
    }
    List<OutsideApp> meant = new ArrayList<>();
    categories.forEach(
        category -> meant.addAll(named(StockApps.MAIN_CATEGORIES.getOrDefault(category, ""))));
    return meant;
  }

  private OutsideApp app(Intent intent) {
    if (intent.getComponent() != null) {
      String named = intent.getComponent().getPackageName();
      return named(named).stream().findFirst().orElse(null);
    }
    Intent asked = intent.getSelector() == null ? intent : intent.getSelector();
    List<OutsideApp> takers = takers(asked);
    return takers.isEmpty() ? null : takers.get(0);
  }

  /** Adds the type of content, which its provider knows. */
  private Intent withType(Intent intent) {
    if (intent.getType() != null || !ContentResolver.SCHEME_CONTENT.equals(intent.getScheme())) {
      return intent;
    }
    return new Intent(intent).setDataAndType(intent.getData(), intent.resolveType(resolver));
  }

  /** Adds the apps and the intents they take to the package manager. */
  public void install(Context context) {
    OutsidePackages.install(apps, context);
  }
}
