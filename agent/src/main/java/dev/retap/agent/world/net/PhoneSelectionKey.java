// A channel's registration with a selector of the phone.
package dev.retap.agent.world.net;

import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectionKey;

final class PhoneSelectionKey extends AbstractSelectionKey {
  private final PhoneSelector selector;
  private final SelectableChannel channel;
  private volatile int interest;
  private volatile int ready;

  PhoneSelectionKey(PhoneSelector selector, SelectableChannel channel) {
    this.selector = selector;
    this.channel = channel;
  }

  SelectableSource source() {
    return (SelectableSource) channel;
  }

  void setReady(int operations) {
    ready = operations;
  }

  /** Adds operations that are ready; returns true if one of them is new. */
  boolean addReady(int operations) {
    boolean isNew = (operations & ~ready) != 0;
    ready |= operations;
    return isNew;
  }

  @Override
  public SelectableChannel channel() {
    return channel;
  }

  @Override
  public Selector selector() {
    return selector;
  }

  @Override
  public int interestOps() {
    throwIfCancelled();
    return interest;
  }

  @Override
  public SelectionKey interestOps(int operations) {
    throwIfCancelled();
    if ((operations & ~channel.validOps()) != 0) {
      throw new IllegalArgumentException("operations " + operations + " of " + channel);
    }
    interest = operations;
    return this;
  }

  @Override
  public int readyOps() {
    throwIfCancelled();
    return ready;
  }

  private void throwIfCancelled() {
    if (!isValid()) {
      throw new CancelledKeyException();
    }
  }
}
