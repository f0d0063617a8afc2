// Completes Robolectric's open files: each end learns how the other was closed, folders can be
// opened, a closed file cannot be read on, and a copy out of a parcel lives beside the original.
package dev.retap.agent.shadow.parcel;

import android.os.Handler;
import android.os.Parcel;
import android.os.ParcelFileDescriptor;
import android.os.ParcelFileDescriptor.OnCloseListener;
import android.os.Parcelable;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.Socket;
import java.util.Map;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowParcelFileDescriptor;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

@Implements(ParcelFileDescriptor.class)
public class ParcelFileDescriptorShadow extends ShadowParcelFileDescriptor {
  private static final String CONNECTION = "mCommFd";
  private static final int DETACHED = 2;

  @RealObject private ParcelFileDescriptor real;

  @Implementation
  protected static void __staticInitializer__() {
    ShadowParcelFileDescriptor.__staticInitializer__();
    Parcelable.Creator<ParcelFileDescriptor> plain = ParcelFileDescriptor.CREATOR;
    Parcelable.Creator<ParcelFileDescriptor> marked =
        new Parcelable.Creator<ParcelFileDescriptor>() {
          @Override
          public ParcelFileDescriptor createFromParcel(Parcel in) {
            in.readRawFileDescriptor();
            return plain.createFromParcel(in);
          }

          @Override
          public ParcelFileDescriptor[] newArray(int size) {
            return plain.newArray(size);
          }
        };
    ReflectionHelpers.setStaticField(ParcelFileDescriptor.class, "CREATOR", marked);
  }

  @Implementation
  protected static ParcelFileDescriptor open(File file, int mode) throws FileNotFoundException {
    return mode == ParcelFileDescriptor.MODE_READ_ONLY && file.isDirectory()
        ? new ParcelFileDescriptor(new FileDescriptor())
        : ShadowParcelFileDescriptor.open(file, mode);
  }

  @Implementation
  protected static ParcelFileDescriptor open(
      File file, int mode, Handler handler, OnCloseListener listener) throws IOException {
    if (handler == null) {
      throw new IllegalArgumentException("Handler must not be null");
    }
    if (listener == null) {
      throw new IllegalArgumentException("Listener must not be null");
    }
    ParcelFileDescriptor opened = open(file, mode);
    connect(opened, ClosingWords.to(handler, listener));
    return opened;
  }

  @Implementation
  protected static ParcelFileDescriptor[] createReliablePipe() throws IOException {
    ParcelFileDescriptor[] pipe = createPipe();
    FileDescriptor[] connection = ClosingWords.pair();
    connect(pipe[0], connection[0]);
    connect(pipe[1], connection[1]);
    return pipe;
  }

  /** Returns a descriptor that cannot be read: sockets lie in this process's memory. */
  @Implementation
  protected static ParcelFileDescriptor fromSocket(Socket socket) {
    return new ParcelFileDescriptor(new FileDescriptor());
  }

  @Implementation
  protected static FileDescriptor[] createCommSocketPair() {
    return ClosingWords.pair();
  }

  @Implementation
  protected void writeCommStatusAndClose(int status, String message) {
    FileDescriptor connection = ReflectionHelpers.getField(real, CONNECTION);
    if (connection != null) {
      ClosingWords.tell(connection, status, message);
      // What the other end has said is still known after this one is closed.
      ReflectionHelpers.setField(real, "mStatus", ClosingWords.told(connection));
      ReflectionHelpers.setField(real, CONNECTION, null);
    }
  }

  @Implementation
  protected static @org.robolectric.annotation.ClassName("android.os.ParcelFileDescriptor$Status")
  Object readCommStatus(FileDescriptor connection, byte[] buffer) {
    return ClosingWords.told(connection);
  }

  @Implementation
  protected void closeWithError(String message) throws IOException {
    Shadow.directlyOn(
        real,
        ParcelFileDescriptor.class,
        "closeWithError",
        ClassParameter.from(String.class, message));
    close();
  }

  @Implementation
  protected int detachFd() {
    if (isClosed()) {
      throw new IllegalStateException("Already closed");
    }
    int descriptor = getFd();
    writeCommStatusAndClose(DETACHED, null);
    ReflectionHelpers.setField(real, "mClosed", true);
    return descriptor;
  }

  @Implementation
  protected long seekTo(long position) throws IOException {
    RandomAccessFile file = ReflectionHelpers.getField(this, "file");
    if (isClosed() || file == null) {
      throw new IOException("lseek failed: EBADF (Bad file descriptor)");
    }
    file.seek(position);
    return position;
  }

  @Override
  @Implementation
  protected void writeToParcel(Parcel out, int flags) {
    // The descriptor itself only marks the parcel as one that has some.
    out.writeFileDescriptor(getFileDescriptor());
    super.writeToParcel(out, flags);
    File opened = ReflectionHelpers.getField(this, "origFile");
    int id = ReflectionHelpers.getField(this, "fileIdPledgedOnClose");
    if (opened != null && id != 0) {
      Map<Integer, RandomAccessFile> transit =
          ReflectionHelpers.getStaticField(ShadowParcelFileDescriptor.class, "filesInTransitById");
      int mode = ReflectionHelpers.getField(this, "origMode");
      boolean writes = (mode & ParcelFileDescriptor.MODE_WRITE_ONLY) != 0;
      try {
        transit.put(id, new RandomAccessFile(opened, writes ? "rw" : "r"));
        ReflectionHelpers.setField(this, "fileIdPledgedOnClose", 0);
      } catch (FileNotFoundException e) {
        // It was deleted meanwhile: the copy takes over when this one is closed.
      }
    }
  }

  private boolean isClosed() {
    return ReflectionHelpers.getField(this, "closed");
  }

  private static void connect(ParcelFileDescriptor end, FileDescriptor connection) {
    ReflectionHelpers.setField(end, CONNECTION, connection);
  }
}
