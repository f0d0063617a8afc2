// The results of apps that give something back: a contact, a picture, a document, a photo just
// taken. The picked item exists from then on in its provider, so that the app can open it.
package dev.retap.agent.device.outside;

import android.content.ContentResolver;
import android.content.ContentValues;
import android.content.Intent;
import android.graphics.Bitmap;
import android.net.Uri;
import android.provider.MediaStore;
import dev.retap.agent.device.system.activity.OutsideVisit;
import dev.retap.agent.world.World;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;

public final class Picker {
  private static final String NAME = "Ada Example";
  private static final String PHONE = "555-0100";
  private static final String MAIL = "ada@example.org";
  private static final int SIZE = 64;
  private static final String SETTINGS = "com.android.settings";

  private final StockProviders providers;
  private final ContentResolver resolver;

  public Picker(StockProviders providers, ContentResolver resolver) {
    this.providers = providers;
    this.resolver = resolver;
  }

  /** Returns the words on the button, or null if the app gives nothing back. */
  String label(OutsideVisit visit) {
    String action = String.valueOf(visit.intent().getAction());
    return switch (visit.app()) {
      case "com.android.contacts" -> action.contains("INSERT") ? "Save" : "Choose " + NAME;
      case "com.android.camera2" -> "Take it";
      case "com.android.soundpicker" -> "Choose the default sound";
      case "com.android.gallery3d",
              "com.android.documentsui",
              "com.android.music",
              "com.android.providers.media.module" ->
          "Choose " + fileName(type(visit.intent()));
      case SETTINGS ->
          action.equals(Intent.ACTION_PICK_ACTIVITY)
              ? "Choose Settings"
              : action.contains("REQUEST") ? "Allow" : null;
      case "com.android.calendar" -> "Save";
      default -> null;
    };
  }

  /** Returns the result of the user's choice. */
  Intent pick(Intent asked) {
    String action = String.valueOf(asked.getAction());
    if (action.startsWith("android.media.action.")) {
      return takePhoto(asked);
    }
    if (action.equals("android.intent.action.RINGTONE_PICKER")) {
      return new Intent()
          .putExtra(
              "android.intent.extra.ringtone.PICKED_URI",
              Uri.parse("content://settings/system/ringtone"));
    }
    if (action.equals(Intent.ACTION_PICK_ACTIVITY)) {
      Intent wanted = asked.getParcelableExtra(Intent.EXTRA_INTENT);
      return (wanted == null ? new Intent(Intent.ACTION_MAIN) : new Intent(wanted))
          .setClassName(SETTINGS, SETTINGS + ".Main");
    }
    if (action.contains("REQUEST")) {
      return null;
    }
    String type = String.valueOf(asked.resolveType(resolver));
    if (type.contains("contact")
        || type.contains("phone")
        || type.contains("email")
        || type.contains("person")
        || type.contains("postal")) {
      return new Intent().setData(contact(type));
    }
    if (action.equals(Intent.ACTION_OPEN_DOCUMENT_TREE)) {
      return granting(
          Uri.parse("content://com.android.externalstorage.documents/tree/primary%3ADocuments"));
    }
    return granting(document(type(asked), action.equals(Intent.ACTION_CREATE_DOCUMENT)));
  }

  private Intent takePhoto(Intent asked) {
    Uri output = asked.getParcelableExtra(MediaStore.EXTRA_OUTPUT);
    boolean video = String.valueOf(asked.getAction()).contains("VIDEO");
    if (output != null) {
      try (OutputStream out = open(output)) {
        write(out, video ? "video/mp4" : "image/png");
      } catch (Exception e) {
        // A camera that cannot write to the given place gives nothing back.
        return null;
      }
      return new Intent().setData(output);
    }
    return video
        ? granting(document("video/mp4", false))
        : new Intent("inline-data").putExtra("data", picture());
  }

  /** Opens the camera's output. A file is opened with the camera's permissions, not the app's. */
  private OutputStream open(Uri output) throws Exception {
    return "file".equals(output.getScheme())
        ? World.asHost(() -> new FileOutputStream(output.getPath()))
        : resolver.openOutputStream(output);
  }

  private Uri contact(String type) {
    ContentValues row = new ContentValues();
    row.put("display_name", NAME);
    row.put("name", NAME);
    row.put("has_phone_number", 1);
    row.put("number", PHONE);
    row.put("lookup", "0r1-ada");
    row.put("contact_id", 1);
    row.put("data1", type.contains("email") ? MAIL : type.contains("postal") ? "1 Main St" : PHONE);
    row.put("data2", 2);
    boolean data = type.contains("_v2");
    Uri folder =
        Uri.parse(
            type.contains("person")
                ? "content://contacts/people"
                : data
                    ? "content://com.android.contacts/data"
                    : "content://com.android.contacts/contacts/lookup/0r1-ada");
    if (!data) {
      ContentValues phone = new ContentValues(row);
      providers.add(Uri.parse("content://com.android.contacts/data/phones/1"), phone);
    }
    Uri uri = folder.buildUpon().appendPath("1").build();
    providers.add(uri, row);
    return uri;
  }

  private Uri document(String type, boolean empty) {
    String name = fileName(type);
    Uri uri =
        Uri.parse(
            type.startsWith("image/") || type.startsWith("video/") || type.startsWith("audio/")
                ? "content://media/external/" + kind(type) + "/media/1"
                : "content://com.android.externalstorage.documents/document/primary%3A" + name);
    ContentValues row = new ContentValues();
    row.put("_display_name", name);
    row.put("title", name);
    row.put("mime_type", type);
    row.put("document_id", "primary:" + name);
    row.put("_data", "/sdcard/" + name);
    try (OutputStream out = providers.add(uri, row, type)) {
      if (!empty) {
        write(out, type);
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException("picked document", e);
    }
    return uri;
  }

  private static void write(OutputStream out, String type) throws IOException {
    if (type.startsWith("image/")) {
      picture().compress(Bitmap.CompressFormat.PNG, 100, out);
    } else {
      out.write("An example.\n".getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
  }

  private static Bitmap picture() {
    Bitmap picture = Bitmap.createBitmap(SIZE, SIZE, Bitmap.Config.ARGB_8888);
    picture.eraseColor(0xff3366cc);
    return picture;
  }

  private static Intent granting(Uri uri) {
    return new Intent()
        .setData(uri)
        .addFlags(
            Intent.FLAG_GRANT_READ_URI_PERMISSION | Intent.FLAG_GRANT_PERSISTABLE_URI_PERMISSION);
  }

  /** Returns a concrete type for a type that may end in a star. */
  private String type(Intent asked) {
    String type = asked.resolveType(resolver);
    if (type == null || type.equals("*/*")) {
      return type == null && "android.provider.action.PICK_IMAGES".equals(asked.getAction())
          ? "image/png"
          : "text/plain";
    }
    if (type.startsWith("image/") || type.endsWith("/image")) {
      return "image/png";
    }
    if (type.startsWith("video/") || type.endsWith("/video")) {
      return "video/mp4";
    }
    if (type.startsWith("audio/") || type.endsWith("/audio")) {
      return "audio/mpeg";
    }
    return type.endsWith("/*") ? "text/plain" : type;
  }

  private static String kind(String type) {
    return type.startsWith("image/") ? "images" : type.substring(0, type.indexOf('/'));
  }

  private static String fileName(String type) {
    return switch (type) {
      case "image/png" -> "picture.png";
      case "video/mp4" -> "film.mp4";
      case "audio/mpeg" -> "song.mp3";
      case "text/plain" -> "example.txt";
      default -> "example." + type.substring(type.lastIndexOf('/') + 1);
    };
  }
}
