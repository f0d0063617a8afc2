// Something that a test did to the phone, as an event, with the screen before it.
package dev.retap.agent.wire;

import dev.retap.agent.wire.Event.Drag;
import dev.retap.agent.wire.Event.IntentSpec;
import dev.retap.agent.wire.Event.Key;
import dev.retap.agent.wire.Event.LongPress;
import dev.retap.agent.wire.Event.Pinch;
import dev.retap.agent.wire.Event.Rotate;
import dev.retap.agent.wire.Event.StartIntent;
import dev.retap.agent.wire.Event.Tap;
import java.util.List;

/**
 * @param screen the encoded screen, or empty if there was none
 */
public record RecordedInput(byte[] screen, Event event) {
  /** Writes events under the numbers that they are read with. */
  public void write(Packet out) {
    out.blob(screen);
    if (event instanceof Tap tap) {
      out.u8(1).i32(tap.x()).i32(tap.y());
    } else if (event instanceof LongPress press) {
      out.u8(2).i32(press.x()).i32(press.y());
    } else if (event instanceof Drag drag) {
      out.u8(3).i32(drag.x1()).i32(drag.y1()).i32(drag.x2()).i32(drag.y2()).i32(drag.ms());
    } else if (event instanceof Pinch pinch) {
      out.u8(4).i32(pinch.x()).i32(pinch.y()).u8(pinch.open() ? 1 : 0);
    } else if (event instanceof Key key) {
      out.u8(6).string(key.name());
    } else if (event instanceof Rotate rotate) {
      out.u8(7).u8(rotate.landscape() ? 1 : 0);
    } else if (event instanceof StartIntent start) {
      write(start.intent(), out.u8(8));
    } else if (event instanceof Event.Launch) {
      out.u8(12);
    } else {
      throw new IllegalStateException("no test does this: " + event);
    }
  }

  private static void write(IntentSpec intent, Packet out) {
    out.string(intent.action()).string(intent.data()).string(intent.type());
    strings(intent.categories(), out);
    out.string(intent.component());
    strings(intent.extras(), out);
  }

  private static void strings(List<String> values, Packet out) {
    out.u16(values.size());
    values.forEach(out::string);
  }
}
