// The native methods of the reader of tags. It tells what the headers tell; titles and covers are
// not read, which an app meets in files without tags, too.
package dev.retap.agent.shadow.media;

import android.graphics.Bitmap;
import android.media.MediaDataSource;
import android.media.MediaMetadataRetriever;
import android.os.IBinder;
import java.io.FileDescriptor;
import java.io.IOException;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;

@Implements(MediaMetadataRetriever.class)
public class MediaMetadataRetrieverShadow {
  private static final String YES = "yes";

  private boolean isReleased;
  private MediaDescription media;

  @Implementation
  protected static void __staticInitializer__() {}

  @Implementation
  protected void native_setup() {}

  @Implementation
  protected void native_finalize() {}

  @Implementation
  protected void release() {
    isReleased = true;
    media = null;
  }

  private void read(MediaBytes bytes) {
    if (isReleased) {
      throw new IllegalStateException("No retriever available");
    }
    try {
      media = MediaDescription.read(bytes);
    } catch (IOException e) {
      media = null;
    }
    if (media == null) {
      throw new RuntimeException("setDataSource failed: status = 0x80000000");
    }
  }

  @Implementation
  protected void _setDataSource(IBinder service, String address, String[] names, String[] values) {
    if (address == null) {
      throw new IllegalArgumentException("Null pointer");
    }
    read(MediaBytes.none());
  }

  @Implementation(maxSdk = 30)
  protected void setDataSource(FileDescriptor file, long offset, long length) {
    readFile(file, offset, length);
  }

  @Implementation
  protected void _setDataSource(FileDescriptor file, long offset, long length) {
    readFile(file, offset, length);
  }

  private void readFile(FileDescriptor file, long offset, long length) {
    if (file == null || !file.valid() || offset < 0 || length < 0) {
      throw new IllegalArgumentException();
    }
    try {
      read(MediaBytes.of(file, offset, length));
    } catch (IOException e) {
      throw new RuntimeException("setDataSource failed: status = 0x80000000");
    }
  }

  @Implementation
  protected void _setDataSource(MediaDataSource source) {
    if (source == null) {
      throw new IllegalArgumentException();
    }
    read(MediaBytes.of(source));
  }

  @Implementation(maxSdk = 29)
  protected String extractMetadata(int key) {
    return metadata(key);
  }

  @Implementation
  protected String nativeExtractMetadata(int key) {
    return metadata(key);
  }

  private String metadata(int key) {
    if (isReleased) {
      throw new IllegalStateException("No retriever available");
    }
    if (media == null) {
      return null;
    }
    boolean isVideo = media.isVideo();
    return switch (key) {
      case MediaMetadataRetriever.METADATA_KEY_DURATION -> Integer.toString(media.millis());
      case MediaMetadataRetriever.METADATA_KEY_MIMETYPE -> media.mimeType();
      case MediaMetadataRetriever.METADATA_KEY_HAS_AUDIO -> isVideo ? null : YES;
      case MediaMetadataRetriever.METADATA_KEY_HAS_VIDEO -> isVideo ? YES : null;
      case MediaMetadataRetriever.METADATA_KEY_NUM_TRACKS -> isVideo ? "2" : "1";
      case MediaMetadataRetriever.METADATA_KEY_VIDEO_WIDTH ->
          isVideo ? Integer.toString(media.width()) : null;
      case MediaMetadataRetriever.METADATA_KEY_VIDEO_HEIGHT ->
          isVideo ? Integer.toString(media.height()) : null;
      case MediaMetadataRetriever.METADATA_KEY_VIDEO_ROTATION -> isVideo ? "0" : null;
      default -> null;
    };
  }

  @Implementation
  protected Bitmap _getFrameAtTime(long micros, int option) {
    return frame();
  }

  @Implementation
  protected Bitmap _getFrameAtTime(long micros, int option, int width, int height) {
    return frame();
  }

  @Implementation
  protected Bitmap _getFrameAtTime(
      long micros,
      int option,
      int width,
      int height,
      MediaMetadataRetriever.BitmapParams parameters) {
    return frame();
  }

  /** A black picture, as many films begin. */
  private Bitmap frame() {
    if (isReleased) {
      throw new IllegalStateException("No retriever available");
    }
    if (media == null || !media.isVideo()) {
      return null;
    }
    Bitmap picture = Bitmap.createBitmap(media.width(), media.height(), Bitmap.Config.RGB_565);
    picture.eraseColor(android.graphics.Color.BLACK);
    return picture;
  }

  @Implementation
  protected byte[] getEmbeddedPicture(int type) {
    return null;
  }
}
