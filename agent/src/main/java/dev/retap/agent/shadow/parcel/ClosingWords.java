// What the two ends of a pipe, a socket or an open file tell each other when one is closed. On a
// phone they do so through a socket of their own; here its descriptors are only names.
package dev.retap.agent.shadow.parcel;

import android.os.Handler;
import android.os.ParcelFileDescriptor.OnCloseListener;
import java.io.FileDescriptor;
import java.io.IOException;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

final class ClosingWords {
  private static final String STATUS = "android.os.ParcelFileDescriptor$Status";
  private static final int SILENCE = -1;
  private static final int OK = 0;

  /** What is known of an end: the other end, or who listens there; and what it was told. */
  private static final class End {
    FileDescriptor other;
    Handler handler;
    OnCloseListener listener;
    Object told;
  }

  private static final Map<FileDescriptor, End> ENDS =
      Collections.synchronizedMap(new WeakHashMap<>());

  private ClosingWords() {}

  /** Returns two descriptors that are the ends of one connection. */
  static FileDescriptor[] pair() {
    FileDescriptor[] pair = {new FileDescriptor(), new FileDescriptor()};
    for (int i = 0; i < 2; i++) {
      End end = new End();
      end.other = pair[1 - i];
      ENDS.put(pair[i], end);
    }
    return pair;
  }

  /** Returns the descriptor of a connection with a listener at its other end. */
  static FileDescriptor to(Handler handler, OnCloseListener listener) {
    FileDescriptor own = new FileDescriptor();
    End end = new End();
    end.handler = handler;
    end.listener = listener;
    ENDS.put(own, end);
    return own;
  }

  /** Tells the other end how this one was closed. */
  static void tell(FileDescriptor own, int status, String message) {
    End end = ENDS.get(own);
    if (end == null || status == SILENCE) {
      return;
    }
    Object words = words(status, message);
    if (end.listener != null) {
      IOException reason =
          status == OK ? null : ReflectionHelpers.callInstanceMethod(words, "asIOException");
      OnCloseListener listener = end.listener;
      end.handler.post(() -> listener.onClose(reason));
      end.listener = null;
    } else if (end.other != null && ENDS.containsKey(end.other)) {
      ENDS.get(end.other).told = words;
    }
  }

  /** Returns the status that this end was told, or null while the other is open. */
  static Object told(FileDescriptor own) {
    End end = ENDS.get(own);
    return end == null ? null : end.told;
  }

  private static Object words(int status, String message) {
    try {
      return ReflectionHelpers.callConstructor(
          Class.forName(STATUS),
          ClassParameter.from(int.class, status),
          ClassParameter.from(String.class, message));
    } catch (ClassNotFoundException e) {
      throw new LinkageError(STATUS, e);
    }
  }
}
