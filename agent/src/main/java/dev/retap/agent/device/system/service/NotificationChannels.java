// The channels of notifications and their groups, from API 26 on. What an app passes and gets are
// copies: the system's own cannot be changed through them.
package dev.retap.agent.device.system.service;

import android.app.NotificationChannel;
import android.app.NotificationChannelGroup;
import android.app.NotificationManager;
import android.os.Parcel;
import android.os.Parcelable;
import android.text.TextUtils;
import dev.retap.agent.device.binder.BinderCall;
import dev.retap.agent.device.binder.BinderStub;
import dev.retap.agent.device.reflect.FrameworkCalls;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

final class NotificationChannels {
  private final Map<String, NotificationChannel> channels = new LinkedHashMap<>();
  private final Map<String, NotificationChannelGroup> groups = new LinkedHashMap<>();
  private final Consumer<String> onDelete;

  /**
   * @param onDelete hears of each channel that is deleted
   */
  NotificationChannels(Consumer<String> onDelete) {
    this.onDelete = onDelete;
  }

  void serve(BinderStub stub) {
    stub.on("createNotificationChannels", this::createAll)
        .on("getNotificationChannel", call -> get(call.last(String.class)))
        .on("getConversationNotificationChannel", call -> get(call.nth(String.class, 2)))
        .on("getNotificationChannels", call -> BinderStub.slice(all()))
        .on("deleteNotificationChannel", call -> delete(call.last(String.class)))
        .on("createNotificationChannelGroups", this::createGroups)
        .on("getNotificationChannelGroup", call -> group(call.last(String.class)))
        .on("getNotificationChannelGroups", call -> BinderStub.slice(allGroups()))
        .on("deleteNotificationChannelGroup", call -> deleteGroup(call.last(String.class)));
  }

  /** Returns true if a notification on this channel is shown. */
  synchronized boolean shows(String id) {
    NotificationChannel channel = channels.get(id);
    return channel != null && channel.getImportance() != NotificationManager.IMPORTANCE_NONE;
  }

  synchronized boolean has(String id) {
    return channels.containsKey(id);
  }

  private synchronized Object createAll(BinderCall call) {
    for (Object passed : listOf(call)) {
      create(copy((NotificationChannel) passed));
    }
    return null;
  }

  private void create(NotificationChannel wanted) {
    if (TextUtils.isEmpty(wanted.getName())) {
      throw refused(null);
    }
    if (wanted.getGroup() != null && !groups.containsKey(wanted.getGroup())) {
      throw refused("NotificationChannelGroup doesn't exist");
    }
    if (NotificationChannel.DEFAULT_CHANNEL_ID.equals(wanted.getId())) {
      throw refused("Reserved id");
    }
    NotificationChannel known = channels.get(wanted.getId());
    if (known != null) {
      update(known, wanted);
      return;
    }
    if (wanted.getImportance() < NotificationManager.IMPORTANCE_NONE
        || wanted.getImportance() > NotificationManager.IMPORTANCE_MAX) {
      throw refused("Invalid importance level");
    }
    channels.put(wanted.getId(), wanted);
  }

  /** Changes what an app may still change: the words, a first group, a lower importance. */
  private static void update(NotificationChannel known, NotificationChannel wanted) {
    known.setName(wanted.getName());
    known.setDescription(wanted.getDescription());
    if (known.getGroup() == null) {
      known.setGroup(wanted.getGroup());
    }
    if (wanted.getImportance() < known.getImportance()) {
      known.setImportance(wanted.getImportance());
    }
  }

  private synchronized Object get(String id) {
    return copy(channels.get(id));
  }

  private synchronized List<NotificationChannel> all() {
    return channels.values().stream().map(NotificationChannels::copy).toList();
  }

  private synchronized Object delete(String id) {
    if (NotificationChannel.DEFAULT_CHANNEL_ID.equals(id)) {
      throw refused("Cannot delete default channel");
    }
    if (channels.remove(id) != null) {
      onDelete.accept(id);
    }
    return null;
  }

  private synchronized Object createGroups(BinderCall call) {
    for (Object passed : listOf(call)) {
      NotificationChannelGroup group = copy((NotificationChannelGroup) passed);
      groups.put(group.getId(), group);
    }
    return null;
  }

  private synchronized NotificationChannelGroup group(String id) {
    NotificationChannelGroup group = copy(groups.get(id));
    if (group != null) {
      List<NotificationChannel> members =
          all().stream().filter(channel -> Objects.equals(id, channel.getGroup())).toList();
      FrameworkCalls.call(group, "setChannels", new ArrayList<>(members));
    }
    return group;
  }

  private synchronized List<NotificationChannelGroup> allGroups() {
    return groups.keySet().stream().map(this::group).toList();
  }

  private synchronized Object deleteGroup(String id) {
    if (groups.remove(id) != null) {
      all().stream()
          .filter(channel -> Objects.equals(id, channel.getGroup()))
          .forEach(channel -> delete(channel.getId()));
    }
    return null;
  }

  private static List<?> listOf(BinderCall call) {
    for (Object argument : call.arguments()) {
      if (argument instanceof Parcelable) {
        return (List<?>) FrameworkCalls.call(argument, "getList");
      }
    }
    return List.of();
  }

  private static IllegalArgumentException refused(String why) {
    return BinderStub.trimmed(new IllegalArgumentException(why));
  }

  /** Returns what arrives on the other side of a binder call. */
  private static <T extends Parcelable> T copy(T original) {
    Parcel parcel = Parcel.obtain();
    try {
      parcel.writeParcelable(original, 0);
      parcel.setDataPosition(0);
      return parcel.readParcelable(NotificationChannels.class.getClassLoader());
    } finally {
      parcel.recycle();
    }
  }
}
