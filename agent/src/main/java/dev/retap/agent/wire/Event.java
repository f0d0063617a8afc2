// One thing done to the device. The other side has already resolved widgets to points.
package dev.retap.agent.wire;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

public sealed interface Event {
  record Tap(int x, int y) implements Event {}

  record LongPress(int x, int y) implements Event {}

  record Drag(int x1, int y1, int x2, int y2, int ms) implements Event {}

  record Pinch(int x, int y, boolean open, int span) implements Event {}

  record Text(int x, int y, String text) implements Event {}

  record Key(String name) implements Event {}

  record Rotate(boolean landscape) implements Event {}

  record StartIntent(IntentSpec intent) implements Event {}

  record Broadcast(IntentSpec intent) implements Event {}

  record SystemChange(String what, List<String> arguments) implements Event {}

  record Wait(int ms) implements Event {}

  record Launch() implements Event {}

  record Close() implements Event {}

  /** Events in one go: the app does not come to rest between them. */
  record Hasty(int gapMs, List<Event> events) implements Event {}

  /**
   * @param extras each `key=TVALUE`, where T is the type: s, i, l, b or f
   */
  record IntentSpec(
      String action,
      String data,
      String type,
      List<String> categories,
      String component,
      List<String> extras) {}

  static Event read(Packet in) throws IOException {
    int kind = in.readU8();
    return switch (kind) {
      case 1 -> new Tap(in.readI32(), in.readI32());
      case 2 -> new LongPress(in.readI32(), in.readI32());
      case 3 -> new Drag(in.readI32(), in.readI32(), in.readI32(), in.readI32(), in.readI32());
      case 4 -> new Pinch(in.readI32(), in.readI32(), in.readU8() != 0, in.readI32());
      case 5 -> new Text(in.readI32(), in.readI32(), in.readString());
      case 6 -> new Key(in.readString());
      case 7 -> new Rotate(in.readU8() != 0);
      case 8 -> new StartIntent(intent(in));
      case 9 -> new Broadcast(intent(in));
      case 10 -> new SystemChange(in.readString(), strings(in));
      case 11 -> new Wait(in.readI32());
      case 12 -> new Launch();
      case 13 -> new Close();
      case 14 -> new Hasty(in.readI32(), events(in));
      default -> throw new IOException("unknown event kind " + kind);
    };
  }

  private static List<Event> events(Packet in) throws IOException {
    int count = in.readU16();
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Event event = read(in);
      if (!(event instanceof Tap || event instanceof Key || event instanceof Rotate)) {
        throw new IOException("an event of this kind cannot be hasty: " + event);
      }
      events.add(event);
    }
    return events;
  }

  private static IntentSpec intent(Packet in) throws IOException {
    return new IntentSpec(
        in.readString(),
        in.readString(),
        in.readString(),
        strings(in),
        in.readString(),
        strings(in));
  }

  /** Reads a count and that many strings. */
  static List<String> strings(Packet in) throws IOException {
    int count = in.readU16();
    List<String> strings = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      strings.add(in.readString());
    }
    return strings;
  }
}
