// Gives a thread that the framework keeps in a static field a successor in the next process. On a
// phone such a thread and the field end with their process. Here the field lives on, and the looper
// of the dead thread in it would be null.
package dev.retap.agent.shadow.system;

import static org.robolectric.util.reflector.Reflector.reflector;

import android.os.Handler;
import android.os.HandlerThread;
import android.os.Looper;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.util.reflector.Direct;
import org.robolectric.util.reflector.ForType;

@Implements(HandlerThread.class)
public class HandlerThreadShadow {
  /** The number of the process that runs. */
  private static int currentProcess;

  private final int process = currentProcess;

  @RealObject private HandlerThread thread;
  private HandlerThread successor;
  private int successorProcess;

  /** Begins a new process. */
  static synchronized void forget() {
    currentProcess++;
  }

  @Implementation
  protected Looper getLooper() {
    return isEnded() ? successor().getLooper() : code().getLooper();
  }

  @Implementation
  protected Handler getThreadHandler() {
    return isEnded()
        ? reflector(Code.class, successor()).getThreadHandler()
        : code().getThreadHandler();
  }

  @Implementation
  protected int getThreadId() {
    return isEnded() ? successor().getThreadId() : code().getThreadId();
  }

  /** Returns true if the thread ended with an earlier process, and not because the app said so. */
  private boolean isEnded() {
    return process != currentProcess && !thread.isAlive();
  }

  private synchronized HandlerThread successor() {
    if (successor == null || successorProcess != currentProcess) {
      successor = new HandlerThread(thread.getName());
      successorProcess = currentProcess;
      successor.start();
    }
    return successor;
  }

  private Code code() {
    return reflector(Code.class, thread);
  }

  /** The framework's own background thread. Robolectric's shadow of it has nothing but a reset. */
  @Implements(className = "com.android.internal.os.BackgroundThread", isInAndroidSdk = false)
  public static class Background extends HandlerThreadShadow {}

  /** The framework's own code. */
  @ForType(HandlerThread.class)
  private interface Code {
    @Direct
    Looper getLooper();

    @Direct
    Handler getThreadHandler();

    @Direct
    int getThreadId();
  }
}
