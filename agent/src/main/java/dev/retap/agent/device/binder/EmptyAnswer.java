// What a service that has nothing to tell answers, by the type that it returns: no elements where a
// caller expects elements, else zero, false or null.
package dev.retap.agent.device.binder;

import android.os.Bundle;
import android.os.PersistableBundle;
import android.os.RemoteException;
import com.android.internal.os.IResultReceiver;
import dev.retap.agent.device.reflect.FrameworkCalls;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

final class EmptyAnswer {
  private EmptyAnswer() {}

  /** Answers callers that wait for their answer at a receiver among the arguments. */
  static void send(Object[] arguments) {
    for (Object argument : arguments == null ? new Object[0] : arguments) {
      if (argument instanceof IResultReceiver receiver) {
        try {
          receiver.send(0, new Bundle());
        } catch (RemoteException e) {
          throw new IllegalStateException("a receiver in this process", e);
        }
      }
    }
  }

  static Object of(Class<?> type) {
    if (type.isArray()) {
      return Array.newInstance(type.getComponentType(), 0);
    }
    if (type == List.class || type == Collection.class) {
      return new ArrayList<>();
    }
    if (type == Map.class) {
      return new HashMap<>();
    }
    if (type == Bundle.class) {
      return new Bundle();
    }
    if (type == PersistableBundle.class) {
      return new PersistableBundle();
    }
    if (type.getName().endsWith("ParceledListSlice")) {
      return FrameworkCalls.construct(type, new ArrayList<>());
    }
    return FrameworkCalls.zero(type);
  }
}
