// The native half of a binder that lies in another process of the app: calls pass to it, and its
// clients hear when that process ends.
package dev.retap.agent.shadow.system;

import android.os.DeadObjectException;
import android.os.IBinder;
import android.os.Parcel;
import android.os.RemoteException;
import dev.retap.agent.world.ProcessEnded;
import java.util.ArrayList;
import java.util.List;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;

@Implements(className = "android.os.BinderProxy", isInAndroidSdk = false)
public class BinderProxyShadow {
  /** A process of the app beside its main one. */
  public interface Owner {
    boolean hasEnded();

    /** Adds a listener that hears of the end. */
    void whenEnded(Runnable listener);

    /** Starts the process if need be and runs code in it. */
    void enter(Runnable code);

    /** Returns true if the thread unwinds because of the end of this process, and stops that. */
    boolean takeEnd();
  }

  private final List<IBinder.DeathRecipient> recipients = new ArrayList<>();
  private IBinder target;
  private Owner owner;

  /**
   * Sets the binder that this is what another process sees of.
   *
   * @param owner the process that the binder lies in; null is the main one, with which all ends
   */
  public void link(IBinder target, Owner owner) {
    this.target = target;
    this.owner = owner;
    if (owner != null) {
      owner.whenEnded(this::tellRecipients);
    }
  }

  private boolean isDead() {
    return target == null || owner != null && owner.hasEnded();
  }

  @Implementation
  protected boolean pingBinder() {
    return !isDead();
  }

  @Implementation
  protected boolean isBinderAlive() {
    return !isDead();
  }

  @Implementation
  protected String getInterfaceDescriptor() throws RemoteException {
    return isDead() ? "" : target.getInterfaceDescriptor();
  }

  /** Runs the call in the other process while the caller waits. */
  @Implementation
  protected boolean transactNative(int code, Parcel data, Parcel reply, int flags)
      throws RemoteException {
    if (isDead()) {
      throw new DeadObjectException();
    }
    if (owner == null) {
      return transact(code, data, reply, flags);
    }
    boolean[] known = new boolean[1];
    try {
      owner.enter(() -> known[0] = transact(code, data, reply, flags));
    } catch (ProcessEnded e) {
      if (!owner.takeEnd()) {
        throw e;
      }
      throw new DeadObjectException();
    }
    return known[0];
  }

  /** Calls the binder as its own process does: an exception is written into the reply. */
  private boolean transact(int code, Parcel data, Parcel reply, int flags) {
    try {
      return target.transact(code, data, reply, flags);
    } catch (RemoteException | RuntimeException e) {
      if (reply == null || (flags & IBinder.FLAG_ONEWAY) != 0) {
        return true;
      }
      reply.setDataSize(0);
      reply.setDataPosition(0);
      try {
        reply.writeException(e);
      } catch (RuntimeException unknown) {
        // No other kind of exception passes; the caller reads an empty reply.
        reply.setDataSize(0);
      }
      reply.setDataPosition(0);
      return true;
    }
  }

  @Implementation
  protected void linkToDeath(IBinder.DeathRecipient recipient, int flags) throws RemoteException {
    if (isDead()) {
      throw new DeadObjectException();
    }
    recipients.add(recipient);
  }

  @Implementation
  protected boolean unlinkToDeath(IBinder.DeathRecipient recipient, int flags) {
    return recipients.remove(recipient);
  }

  private void tellRecipients() {
    List<IBinder.DeathRecipient> told = new ArrayList<>(recipients);
    recipients.clear();
    told.forEach(IBinder.DeathRecipient::binderDied);
  }
}
