// The search manager's service: it knows which activity of the app searches, for itself or for
// another that names it. No other app offers a search here.
package dev.retap.agent.device.system.service;

import android.app.SearchableInfo;
import android.content.ComponentName;
import android.content.Context;
import android.content.pm.ActivityInfo;
import android.content.pm.PackageManager;
import android.os.Bundle;
import dev.retap.agent.device.binder.BinderStub;

public final class SearchableActivities {
  private static final String DEFAULT = "android.app.default_searchable";

  private final Context context;

  public SearchableActivities(Context context) {
    this.context = context;
  }

  public void install() {
    new BinderStub()
        .on("getSearchableInfo", call -> searchable(call.first(ComponentName.class)))
        .publish(Context.SEARCH_SERVICE, "android.app.ISearchManager");
  }

  /** Returns the activity's own description, or that of the activity it or the app names. */
  private Object searchable(ComponentName component) {
    ActivityInfo activity = activity(component);
    if (activity == null) {
      return null;
    }
    Object own = describe(activity);
    String named = named(activity.metaData);
    String name = named == null ? named(activity.applicationInfo.metaData) : named;
    if (own != null || name == null) {
      return own;
    }
    String full = name.startsWith(".") ? activity.packageName + name : name;
    ActivityInfo searching = activity(new ComponentName(activity.packageName, full));
    return searching == null ? null : describe(searching);
  }

  private Object describe(ActivityInfo activity) {
    return SearchableInfo.getActivityMetaData(context, activity, 0);
  }

  private static String named(Bundle metaData) {
    return metaData == null ? null : metaData.getString(DEFAULT);
  }

  private ActivityInfo activity(ComponentName component) {
    try {
      return context.getPackageManager().getActivityInfo(component, PackageManager.GET_META_DATA);
    } catch (PackageManager.NameNotFoundException e) {
      return null;
    }
  }
}
