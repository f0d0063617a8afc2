// The system's content providers, for authorities that the app does not serve itself. An
// authority that nobody serves stays unknown, as on the phone.
package dev.retap.agent.device.outside;

import android.content.ContentProvider;
import android.content.ContentValues;
import android.content.Context;
import android.content.pm.ProviderInfo;
import android.net.Uri;
import android.os.Bundle;
import dev.retap.agent.device.binder.BinderCall;
import dev.retap.agent.device.binder.BinderStub;
import dev.retap.agent.device.reflect.FrameworkCalls;
import dev.retap.agent.device.reflect.FrameworkFields;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

public final class StockProviders {
  private static final Set<String> AUTHORITIES =
      Set.of(
          "com.android.contacts",
          "contacts",
          "call_log",
          "call_log_shadow",
          "com.android.voicemail",
          "icc",
          "media",
          "com.android.calendar",
          "calendar",
          "settings",
          "telephony",
          "sms",
          "mms",
          "mms-sms",
          "carriers",
          "downloads",
          "user_dictionary",
          "browser",
          "com.android.browser",
          "com.android.externalstorage.documents",
          "com.android.providers.downloads.documents",
          "com.android.providers.media.documents",
          "com.android.blockednumber",
          "com.android.badge");

  private final Context system;
  private final ProviderGuard guard;
  private final File folder;
  private final Map<String, StockProvider> providers = new LinkedHashMap<>();

  /**
   * @param isGranted tells if the app holds a permission
   */
  public StockProviders(Context system, File folder, Predicate<String> isGranted) {
    this.system = system;
    guard = new ProviderGuard(isGranted);
    this.folder = folder;
  }

  /**
   * @param own finds the app's own providers for the app's other processes; null for no such
   */
  public void serve(BinderStub stub, Function<BinderCall, Object> own) {
    stub.on("getContentProvider", call -> firstOf(own.apply(call), call))
        .on("getProviderMimeType", call -> type(call.first(Uri.class)))
        .on("getProviderMimeTypeAsync", this::answerType)
        .on("getMimeTypeFilterAsync", this::answerType);
  }

  private String type(Uri uri) {
    String authority = uri.getAuthority();
    return authority != null && AUTHORITIES.contains(authority)
        ? provider(authority).getType(uri)
        : null;
  }

  private Object answerType(BinderCall call) {
    Bundle answer = new Bundle();
    answer.putString("result", type(call.first(Uri.class)));
    FrameworkCalls.call(call.arguments()[call.arguments().length - 1], "sendResult", answer);
    return null;
  }

  /** Adds a row that the app can query. */
  void add(Uri uri, ContentValues row) {
    guard.open(uri);
    provider(uri.getAuthority()).put(uri, row);
  }

  /** Adds a row of the system's own to a table. The app needs permission to see it. */
  public void record(Uri table, ContentValues row) {
    provider(table.getAuthority()).record(table, row);
  }

  /** Adds a row and returns the stream to which its content is written. */
  OutputStream add(Uri uri, ContentValues row, String type) throws IOException {
    row.put("mime_type", type);
    add(uri, row);
    return new FileOutputStream(provider(uri.getAuthority()).file(uri));
  }

  private Object firstOf(Object own, BinderCall call) {
    return own == null ? holder(call) : own;
  }

  private Object holder(BinderCall call) {
    String authority = call.last(String.class);
    if (authority == null || !AUTHORITIES.contains(authority)) {
      return null;
    }
    guard.checkOpening(authority);
    StockProvider provider = provider(authority);
    try {
      Class<?> type = call.method().getReturnType();
      var constructor = type.getConstructor(ProviderInfo.class);
      Object holder = constructor.newInstance(info(authority));
      FrameworkFields.set(holder, "provider", FrameworkCalls.call(provider, "getIContentProvider"));
      FrameworkFields.set(holder, "noReleaseNeeded", true);
      return holder;
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("ContentProviderHolder", e);
    }
  }

  private synchronized StockProvider provider(String authority) {
    return providers.computeIfAbsent(
        authority,
        name -> {
          StockProvider provider = new StockProvider(new File(folder, name), guard);
          ((ContentProvider) provider).attachInfo(system, info(name));
          return provider;
        });
  }

  private ProviderInfo info(String authority) {
    ProviderInfo info = new ProviderInfo();
    info.authority = authority;
    info.name = StockProvider.class.getName();
    info.packageName = "android";
    info.applicationInfo = system.getApplicationInfo();
    info.exported = true;
    info.grantUriPermissions = true;
    return info;
  }
}
