// A token that the system hands to the app. It lives in another process, so it is no {@link
// android.os.Binder}: the framework takes a token of its own process for that of an activity inside
// another one, and leaves it alone.
package dev.retap.agent.device.binder;

import android.os.IBinder;
import android.os.IInterface;
import android.os.Parcel;
import android.os.ResultReceiver;
import android.os.ShellCallback;
import java.io.FileDescriptor;

public final class RemoteBinder implements IBinder {
  @Override
  public String getInterfaceDescriptor() {
    return "";
  }

  @Override
  public boolean pingBinder() {
    return true;
  }

  @Override
  public boolean isBinderAlive() {
    return true;
  }

  @Override
  public IInterface queryLocalInterface(String descriptor) {
    return null;
  }

  @Override
  public void dump(FileDescriptor target, String[] arguments) {}

  @Override
  public void dumpAsync(FileDescriptor target, String[] arguments) {}

  @Override
  public void shellCommand(
      FileDescriptor in,
      FileDescriptor out,
      FileDescriptor err,
      String[] arguments,
      ShellCallback callback,
      ResultReceiver receiver) {}

  @Override
  public boolean transact(int code, Parcel data, Parcel reply, int flags) {
    return false;
  }

  @Override
  public void linkToDeath(DeathRecipient recipient, int flags) {}

  @Override
  public boolean unlinkToDeath(DeathRecipient recipient, int flags) {
    return true;
  }

  /** Returns what the app sees in messages; the number is the same in every run. */
  @Override
  public String toString() {
    return "android.os.BinderProxy@0";
  }
}
