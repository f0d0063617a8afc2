// A selector of the phone: it looks at its channels again whenever anything changed in the phone's
// network, and waits in virtual time.
package dev.retap.agent.world.net;

import dev.retap.agent.world.Blocking;
import dev.retap.agent.world.VirtualClock;
import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

final class PhoneSelector extends AbstractSelector {
  private static final long MILLI = 1_000_000L;
  private static final long NOW = -1;
  private static final List<PhoneSelector> OPEN = new ArrayList<>();

  private final Set<SelectionKey> keys = Collections.synchronizedSet(new LinkedHashSet<>());
  private final Set<SelectionKey> selected = new LinkedHashSet<>();

  /** Guards the two fields below. Nothing else is locked while it is held. */
  private final Object news = new Object();

  private long changes;
  private boolean isWoken;

  PhoneSelector(SelectorProvider provider) {
    super(provider);
    synchronized (OPEN) {
      OPEN.add(this);
    }
    Network.trackOpen(this);
  }

  /** Tells every selector that something changed in the phone's network. */
  static void tellAll() {
    List<PhoneSelector> open;
    synchronized (OPEN) {
      if (OPEN.isEmpty()) {
        return;
      }
      open = new ArrayList<>(OPEN);
    }
    open.forEach(PhoneSelector::tell);
  }

  private void tell() {
    synchronized (news) {
      changes++;
      Blocking.notifyEvery(news);
    }
  }

  @Override
  public Set<SelectionKey> keys() {
    throwIfClosed();
    return Collections.unmodifiableSet(keys);
  }

  @Override
  public Set<SelectionKey> selectedKeys() {
    throwIfClosed();
    return selected;
  }

  @Override
  public int selectNow() throws IOException {
    return select0(NOW);
  }

  @Override
  public int select() throws IOException {
    return select0(VirtualClock.NEVER);
  }

  @Override
  public int select(long timeoutMillis) throws IOException {
    if (timeoutMillis < 0) {
      throw new IllegalArgumentException("Negative timeout");
    }
    boolean isForEver = timeoutMillis == 0 || timeoutMillis > Long.MAX_VALUE / MILLI / 2;
    return select0(isForEver ? VirtualClock.NEVER : Blocking.nanoTime() + timeoutMillis * MILLI);
  }

  @Override
  public Selector wakeup() {
    synchronized (news) {
      isWoken = true;
      Blocking.notifyEvery(news);
    }
    return this;
  }

  /** Updates the selected keys and waits for the first one until the deadline. */
  private int select0(long deadline) {
    while (true) {
      throwIfClosed();
      long seen;
      synchronized (news) {
        seen = changes;
      }
      removeCancelled();
      int updated = update();
      synchronized (news) {
        boolean isOver =
            deadline == NOW || deadline != VirtualClock.NEVER && deadline <= Blocking.nanoTime();
        if (updated > 0 || isWoken || isOver || Thread.currentThread().isInterrupted()) {
          isWoken = false;
          return updated;
        }
        if (changes == seen) {
          await(deadline);
        }
      }
    }
  }

  private void await(long deadline) {
    long left = deadline == VirtualClock.NEVER ? 0 : deadline - Blocking.nanoTime();
    try {
      Blocking.await(news, left / MILLI, (int) (left % MILLI));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private int update() {
    int updated = 0;
    List<SelectionKey> all;
    synchronized (keys) {
      all = new ArrayList<>(keys);
    }
    for (SelectionKey key : all) {
      PhoneSelectionKey own = (PhoneSelectionKey) key;
      if (!own.isValid()) {
        continue;
      }
      int ready = own.source().readyOperations() & own.interestOps();
      if (selected.contains(own)) {
        updated += own.addReady(ready) ? 1 : 0;
      } else if (ready != 0) {
        own.setReady(ready);
        selected.add(own);
        updated++;
      }
    }
    return updated;
  }

  private void removeCancelled() {
    Set<SelectionKey> cancelled = cancelledKeys();
    synchronized (cancelled) {
      for (SelectionKey key : cancelled) {
        keys.remove(key);
        selected.remove(key);
        deregister((PhoneSelectionKey) key);
      }
      cancelled.clear();
    }
  }

  @Override
  protected SelectionKey register(
      AbstractSelectableChannel channel, int operations, Object attachment) {
    PhoneSelectionKey key = new PhoneSelectionKey(this, channel);
    key.attach(attachment);
    key.interestOps(operations);
    keys.add(key);
    tell();
    return key;
  }

  @Override
  protected void implCloseSelector() {
    synchronized (OPEN) {
      OPEN.remove(this);
    }
    wakeup();
    synchronized (keys) {
      keys.forEach(SelectionKey::cancel);
    }
    removeCancelled();
  }

  private void throwIfClosed() {
    if (!isOpen()) {
      throw new ClosedSelectorException();
    }
  }
}
