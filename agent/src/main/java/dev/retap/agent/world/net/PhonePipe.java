// A pipe within the phone.
package dev.retap.agent.world.net;

import dev.retap.agent.world.VirtualClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;

final class PhonePipe extends Pipe {
  private final ByteQueue queue = new ByteQueue();
  private final Source source;
  private final Sink sink;

  PhonePipe(SelectorProvider provider) {
    source = new Source(provider, queue);
    sink = new Sink(provider, queue);
    Network.trackOpen(queue::end);
  }

  @Override
  public SourceChannel source() {
    return source;
  }

  @Override
  public SinkChannel sink() {
    return sink;
  }

  private static final class Source extends SourceChannel implements SelectableSource {
    private final ByteQueue queue;

    Source(SelectorProvider provider, ByteQueue queue) {
      super(provider);
      this.queue = queue;
    }

    @Override
    public int readyOperations() {
      return queue.isReadable() ? SelectionKey.OP_READ : 0;
    }

    @Override
    public int read(ByteBuffer to) throws IOException {
      awaitBytes(to.remaining());
      return queue.take(to);
    }

    @Override
    public long read(ByteBuffer[] to, int first, int count) throws IOException {
      Objects.checkFromIndexSize(first, count, to.length);
      awaitBytes(1);
      return queue.take(to, first, count);
    }

    private void awaitBytes(int wanted) throws IOException {
      if (!isOpen()) {
        throw new ClosedChannelException();
      }
      if (isBlocking() && wanted > 0) {
        queue.awaitReadable(VirtualClock.NEVER);
      }
    }

    @Override
    public long read(ByteBuffer[] to) throws IOException {
      return read(to, 0, to.length);
    }

    @Override
    protected void implCloseSelectableChannel() {
      queue.end();
    }

    @Override
    protected void implConfigureBlocking(boolean isBlocking) {}
  }

  private static final class Sink extends SinkChannel implements SelectableSource {
    private final ByteQueue queue;

    Sink(SelectorProvider provider, ByteQueue queue) {
      super(provider);
      this.queue = queue;
    }

    @Override
    public int readyOperations() {
      return queue.isWritable() ? SelectionKey.OP_WRITE : 0;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
      throwIfClosed();
      return queue.put(from, isBlocking());
    }

    @Override
    public long write(ByteBuffer[] from, int first, int count) throws IOException {
      Objects.checkFromIndexSize(first, count, from.length);
      throwIfClosed();
      return queue.put(from, first, count, isBlocking());
    }

    private void throwIfClosed() throws ClosedChannelException {
      if (!isOpen()) {
        throw new ClosedChannelException();
      }
    }

    @Override
    public long write(ByteBuffer[] from) throws IOException {
      return write(from, 0, from.length);
    }

    @Override
    protected void implCloseSelectableChannel() {
      queue.end();
    }

    @Override
    protected void implConfigureBlocking(boolean isBlocking) {}
  }
}
