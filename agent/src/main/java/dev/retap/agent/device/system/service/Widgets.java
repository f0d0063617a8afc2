// The widgets of the home screen. The app's first one is taken to be there, under one number, from
// the moment its provider is told of it; the home screen's own process draws it.
package dev.retap.agent.device.system.service;

import android.appwidget.AppWidgetManager;
import android.appwidget.AppWidgetProviderInfo;
import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.content.pm.PackageManager;
import android.content.pm.ResolveInfo;
import android.content.res.TypedArray;
import android.content.res.XmlResourceParser;
import android.os.Bundle;
import android.util.AttributeSet;
import android.util.TypedValue;
import android.util.Xml;
import dev.retap.agent.device.binder.BinderStub;
import dev.retap.agent.device.reflect.FrameworkFields;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.xmlpull.v1.XmlPullParser;
import org.xmlpull.v1.XmlPullParserException;

public final class Widgets {
  /** The number of the widget on the home screen. */
  static final int ID = 1;

  private static final int WIDTH = 110;
  private static final int HEIGHT = 40;

  /** What is read from a widget's description; the framework wants the numbers in order. */
  private static final int[] ATTRIBUTES = {
    android.R.attr.minWidth,
    android.R.attr.minHeight,
    android.R.attr.updatePeriodMillis,
    android.R.attr.initialLayout,
    android.R.attr.resizeMode
  };

  static {
    Arrays.sort(ATTRIBUTES);
  }

  private final Context context;
  private Bundle options = defaultOptions();

  public Widgets(Context context) {
    this.context = context;
  }

  public void install() {
    new BinderStub()
        .on("getAppWidgetInfo", call -> call.number(0) == ID ? first() : null)
        .on(
            "getAppWidgetOptions",
            call -> call.number(0) == ID ? new Bundle(options) : new Bundle())
        .on("updateAppWidgetOptions", call -> changeOptions(call.first(Bundle.class)))
        .on("getInstalledProvidersForProfile", call -> BinderStub.slice(all()))
        .publish("appwidget", "com.android.internal.appwidget.IAppWidgetService");
  }

  /** Returns the size that the home screen gives to a widget. */
  static Bundle defaultOptions() {
    Bundle options = new Bundle();
    options.putInt(AppWidgetManager.OPTION_APPWIDGET_MIN_WIDTH, WIDTH);
    options.putInt(AppWidgetManager.OPTION_APPWIDGET_MAX_WIDTH, WIDTH);
    options.putInt(AppWidgetManager.OPTION_APPWIDGET_MIN_HEIGHT, HEIGHT);
    options.putInt(AppWidgetManager.OPTION_APPWIDGET_MAX_HEIGHT, HEIGHT);
    return options;
  }

  private Object changeOptions(Bundle changed) {
    options.putAll(changed);
    return null;
  }

  private AppWidgetProviderInfo first() {
    List<AppWidgetProviderInfo> all = all();
    return all.isEmpty() ? null : all.get(0);
  }

  private List<AppWidgetProviderInfo> all() {
    Intent update =
        new Intent(AppWidgetManager.ACTION_APPWIDGET_UPDATE).setPackage(context.getPackageName());
    PackageManager packages = context.getPackageManager();
    List<AppWidgetProviderInfo> found = new ArrayList<>();
    for (ResolveInfo provider :
        packages.queryBroadcastReceivers(update, PackageManager.GET_META_DATA)) {
      try {
        AppWidgetProviderInfo info = read(provider.activityInfo, packages);
        if (info != null) {
          found.add(info);
        }
      } catch (IOException | XmlPullParserException e) {
        // A phone leaves out a widget whose description it cannot read.
        continue;
      }
    }
    return found;
  }

  private AppWidgetProviderInfo read(ActivityInfo provider, PackageManager packages)
      throws IOException, XmlPullParserException {
    try (XmlResourceParser parser =
        provider.loadXmlMetaData(packages, AppWidgetManager.META_DATA_APPWIDGET_PROVIDER)) {
      if (parser == null) {
        return null;
      }
      while (parser.next() != XmlPullParser.START_TAG) {
        if (parser.getEventType() == XmlPullParser.END_DOCUMENT) {
          return null;
        }
      }
      AppWidgetProviderInfo info = new AppWidgetProviderInfo();
      info.provider = new ComponentName(provider.packageName, provider.name);
      info.label = provider.loadLabel(packages).toString();
      info.icon = provider.getIconResource();
      FrameworkFields.set(info, "providerInfo", provider);
      readAttributes(info, Xml.asAttributeSet(parser));
      return info;
    }
  }

  private void readAttributes(AppWidgetProviderInfo info, AttributeSet attributes) {
    TypedArray values = context.getResources().obtainAttributes(attributes, ATTRIBUTES);
    info.minWidth = raw(values, android.R.attr.minWidth);
    info.minHeight = raw(values, android.R.attr.minHeight);
    info.updatePeriodMillis = raw(values, android.R.attr.updatePeriodMillis);
    info.initialLayout = values.getResourceId(at(android.R.attr.initialLayout), 0);
    info.resizeMode = raw(values, android.R.attr.resizeMode);
    values.recycle();
  }

  /** Returns a value as it is written; its reader turns it into pixels. */
  private static int raw(TypedArray values, int attribute) {
    TypedValue value = values.peekValue(at(attribute));
    return value == null ? 0 : value.data;
  }

  private static int at(int attribute) {
    return Arrays.binarySearch(ATTRIBUTES, attribute);
  }
}
