// What a recorder leaves: a file whose headers tell its kind, its length and the size of its
// pictures, as its players read them. Where its samples would be, it has zeros.
package dev.retap.agent.shadow.media;

import android.media.MediaRecorder.OutputFormat;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

final class RecordedFile {
  private static final int FRAME_MILLIS = 20;
  private static final byte[] AMR_FRAME = {0x04, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  private static final int AAC_BYTES_A_MILLI = 16;
  private static final int MOVIE_BYTES_A_MILLI = 2;
  private static final int MOST_BYTES = 8 << 20;

  /** Where to write: one of both is null. */
  private final File path;

  private final FileDescriptor open;

  RecordedFile(File path, FileDescriptor open) {
    this.path = path;
    this.open = open;
  }

  /** Returns true for the kinds of files that can hold pictures beside sound. */
  static boolean takesPictures(int format) {
    return format < OutputFormat.AMR_NB
        || format == OutputFormat.MPEG_2_TS
        || format == OutputFormat.WEBM;
  }

  /** Writes the whole file. If it cannot be written any more, the recording is lost. */
  void write(int format, long millis, int width, int height) {
    try (FileOutputStream out = path == null ? null : new FileOutputStream(path)) {
      FileOutputStream target = out == null ? new FileOutputStream(open) : out;
      target.write(content(format, millis, width, height));
    } catch (IOException e) {
      // The media server of a phone only logs this.
    }
  }

  private static byte[] content(int format, long millis, int width, int height) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    switch (format) {
      case OutputFormat.AMR_NB:
      case OutputFormat.AMR_WB:
        bytes.write("#!AMR\n".getBytes(StandardCharsets.US_ASCII));
        for (long i = 0; i < millis / FRAME_MILLIS; i++) {
          bytes.write(AMR_FRAME);
        }
        break;
      case OutputFormat.AAC_ADTS:
        bytes.write(new byte[] {(byte) 0xFF, (byte) 0xF1, 0x50, (byte) 0x80});
        bytes.write(new byte[size(millis * AAC_BYTES_A_MILLI)]);
        break;
      case OutputFormat.WEBM:
        bytes.write(new byte[] {0x1A, 0x45, (byte) 0xDF, (byte) 0xA3});
        bytes.write(new byte[size(millis * MOVIE_BYTES_A_MILLI)]);
        break;
      default:
        writeMovie(new DataOutputStream(bytes), millis, width, height);
    }
    return bytes.toByteArray();
  }

  private static int size(long bytes) {
    return (int) Math.min(bytes, MOST_BYTES);
  }

  private static void writeMovie(DataOutputStream out, long millis, int width, int height)
      throws IOException {
    out.write(box("ftyp", "isom\0\0\2\0isom3gp4".getBytes(StandardCharsets.US_ASCII)));
    out.write(box("mdat", new byte[size(millis * MOVIE_BYTES_A_MILLI)]));
    ByteArrayOutputStream headers = new ByteArrayOutputStream();
    headers.write(box("mvhd", movieHeader(millis)));
    headers.write(box("trak", box("tkhd", trackHeader(millis, width, height))));
    out.write(box("moov", headers.toByteArray()));
  }

  private static byte[] movieHeader(long millis) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.write(new byte[12]);
    out.writeInt(1_000);
    out.writeInt((int) millis);
    out.write(new byte[80]);
    return bytes.toByteArray();
  }

  private static byte[] trackHeader(long millis, int width, int height) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.write(new byte[20]);
    out.writeInt((int) millis);
    out.write(new byte[52]);
    out.writeInt(width << 16);
    out.writeInt(height << 16);
    return bytes.toByteArray();
  }

  private static byte[] box(String name, byte[] content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(content.length + 8);
    out.write(name.getBytes(StandardCharsets.US_ASCII));
    out.write(content);
    return bytes.toByteArray();
  }
}
