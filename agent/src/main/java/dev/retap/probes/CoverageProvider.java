// Hands the execution data over: `adb shell content read --uri
// content://PACKAGE.retap.coverage/exec`.
// `exec/take` also clears the probes. Only the shell, root and the app itself get an answer.
package dev.retap.probes;

import android.content.ContentProvider;
import android.content.ContentValues;
import android.database.Cursor;
import android.net.Uri;
import android.os.Binder;
import android.os.ParcelFileDescriptor;
import android.os.Process;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;

public final class CoverageProvider extends ContentProvider {
  private static final int ROOT = 0;
  private static final int SHELL = 2000;

  @Override
  public boolean onCreate() {
    Thread.setDefaultUncaughtExceptionHandler(
        new LastProbes(this, Thread.getDefaultUncaughtExceptionHandler()));
    return true;
  }

  @Override
  public synchronized ParcelFileDescriptor openFile(Uri uri, String mode)
      throws FileNotFoundException {
    int caller = Binder.getCallingUid();
    if (caller != SHELL && caller != ROOT && caller != Process.myUid()) {
      throw new SecurityException("only adb reads the coverage");
    }
    boolean clears = "take".equals(uri.getLastPathSegment());
    File file = new File(folder(), "retap-read.exec");
    try {
      FileOutputStream out = new FileOutputStream(file);
      try {
        copyLast(out, clears);
        ExecutionData.write(apk(), out, clears);
      } finally {
        out.close();
      }
      // The reader keeps the open file, and the name goes at once.
      return ParcelFileDescriptor.open(file, ParcelFileDescriptor.MODE_READ_ONLY);
    } catch (FileNotFoundException e) {
      throw e;
    } catch (IOException e) {
      throw new FileNotFoundException(e.toString());
    } finally {
      file.delete();
    }
  }

  /** Writes the probes of this process to a file, which the next reader gets too. */
  void keepLast() throws IOException {
    FileOutputStream out = new FileOutputStream(lastFile(), true);
    try {
      ExecutionData.write(apk(), out, true);
    } finally {
      out.close();
    }
  }

  /** Execution data may follow execution data. */
  private void copyLast(FileOutputStream out, boolean clears) throws IOException {
    File last = lastFile();
    if (!last.exists()) {
      return;
    }
    FileInputStream in = new FileInputStream(last);
    try {
      byte[] buffer = new byte[1 << 14];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        out.write(buffer, 0, read);
      }
    } finally {
      in.close();
    }
    if (clears) {
      last.delete();
    }
  }

  private File lastFile() {
    return new File(folder(), "retap-last.exec");
  }

  /** Returns a folder that apps seldom look into. */
  private File folder() {
    return getContext().getCodeCacheDir();
  }

  private File apk() {
    return new File(getContext().getApplicationInfo().sourceDir);
  }

  @Override
  public String getType(Uri uri) {
    return null;
  }

  @Override
  public Cursor query(Uri uri, String[] columns, String where, String[] values, String order) {
    return null;
  }

  @Override
  public Uri insert(Uri uri, ContentValues values) {
    return null;
  }

  @Override
  public int delete(Uri uri, String where, String[] values) {
    return 0;
  }

  @Override
  public int update(Uri uri, ContentValues values, String where, String[] arguments) {
    return 0;
  }
}
