// The log of events in the kernel's format, which the framework's own code reads.
package dev.retap.agent.shadow.system;

import android.os.Process;
import android.util.EventLog;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

@Implements(EventLog.class)
public class EventLogShadow {
  private static final int HEADER = 28;
  private static final int MOST_EVENTS = 1_000;
  private static final int MOST_ITEMS = 255;

  /** The room for the data of an event: an entry of the log without its header, tag and end. */
  private static final int MOST_BYTES = 4096 - 20 - 4 - 1;

  private static final int INT = 0;
  private static final int LONG = 1;
  private static final int STRING = 2;
  private static final int LIST = 3;
  private static final int FLOAT = 4;

  private static final Deque<byte[]> EVENTS = new ArrayDeque<>();

  static void forget() {
    synchronized (EVENTS) {
      EVENTS.clear();
    }
  }

  @Implementation
  protected static int writeEvent(int tag, int value) {
    return write(tag, value);
  }

  @Implementation
  protected static int writeEvent(int tag, long value) {
    return write(tag, value);
  }

  @Implementation
  protected static int writeEvent(int tag, float value) {
    return write(tag, value);
  }

  @Implementation
  protected static int writeEvent(int tag, String value) {
    return write(tag, value == null ? "NULL" : value);
  }

  @Implementation
  protected static int writeEvent(int tag, Object... values) {
    return write(tag, values == null ? "NULL" : values);
  }

  @Implementation
  protected static void readEvents(int[] tags, Collection<EventLog.Event> into) {
    synchronized (EVENTS) {
      for (byte[] event : EVENTS) {
        int tag = buffer(event).getInt(HEADER);
        for (int wanted : tags) {
          if (wanted == tag) {
            into.add(
                ReflectionHelpers.callConstructor(
                    EventLog.Event.class, ClassParameter.from(byte[].class, event)));
            break;
          }
        }
      }
    }
  }

  private static int write(int tag, Object value) {
    byte[] data = value instanceof Object[] list ? listBytes(list) : bytes(value, MOST_BYTES);
    byte[] event = new byte[HEADER + Integer.BYTES + data.length];
    long nanos = System.currentTimeMillis() * 1_000_000;
    buffer(event)
        .putShort((short) (Integer.BYTES + data.length))
        .putShort((short) HEADER)
        .putInt(Process.myPid())
        .putInt(Process.myTid())
        .putInt((int) (nanos / 1_000_000_000))
        .putInt((int) (nanos % 1_000_000_000))
        .putInt(2)
        .putInt(Process.myUid())
        .putInt(tag)
        .put(data);
    synchronized (EVENTS) {
      if (EVENTS.size() == MOST_EVENTS) {
        EVENTS.removeFirst();
      }
      EVENTS.addLast(event);
    }
    return Integer.BYTES + data.length;
  }

  /** Returns the items that fit; a text is cut where the room ends. */
  private static byte[] listBytes(Object[] items) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int count = 0;
    for (Object item : items) {
      byte[] bytes =
          count == MOST_ITEMS
              ? null
              : bytes(item == null ? "NULL" : item, MOST_BYTES - 2 - out.size());
      if (bytes == null) {
        break;
      }
      out.writeBytes(bytes);
      count++;
    }
    return ByteBuffer.allocate(2 + out.size())
        .put((byte) LIST)
        .put((byte) count)
        .put(out.toByteArray())
        .array();
  }

  /** Returns a value with its type, or null if the room is too small. */
  private static byte[] bytes(Object value, int room) {
    byte[] text =
        value instanceof String string ? string.getBytes(StandardCharsets.UTF_8) : new byte[0];
    int head = 1 + (value instanceof Long ? Long.BYTES : Integer.BYTES);
    if (room < head || value instanceof String && room == head) {
      return null;
    }
    int length = Math.min(text.length, room - head);
    byte[] bytes = new byte[head + length];
    ByteBuffer out = buffer(bytes);
    if (value instanceof Integer number) {
      out.put((byte) INT).putInt(number);
    } else if (value instanceof Long number) {
      out.put((byte) LONG).putLong(number);
    } else if (value instanceof Float number) {
      out.put((byte) FLOAT).putFloat(number);
    } else if (value instanceof String) {
      out.put((byte) STRING).putInt(length).put(text, 0, length);
    } else {
      throw new IllegalArgumentException("Invalid payload item type");
    }
    return bytes;
  }

  private static ByteBuffer buffer(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
  }
}
