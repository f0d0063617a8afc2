// The broadcasts that only the system may send, as the framework's own manifest lists them.
package dev.retap.agent.device.system.packages;

import android.content.res.Resources;
import android.content.res.XmlResourceParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.Set;
import org.xmlpull.v1.XmlPullParser;
import org.xmlpull.v1.XmlPullParserException;

public final class ProtectedBroadcasts {
  /** The framework is the first of the system's packages of resources. */
  private static final int FRAMEWORK = 1;

  private static final String ANDROID = "http://schemas.android.com/apk/res/android";

  /** Read when an app first asks, because few do and the manifest is long. */
  private static Set<String> actions;

  private ProtectedBroadcasts() {}

  /** Returns true if only the system may send this action. */
  public static synchronized boolean contains(String action) {
    if (actions == null) {
      actions = read();
    }
    return actions.contains(action);
  }

  private static Set<String> read() {
    Set<String> found = new HashSet<>();
    try (XmlResourceParser manifest =
        Resources.getSystem().getAssets().openXmlResourceParser(FRAMEWORK, "AndroidManifest.xml")) {
      for (int event = manifest.next();
          event != XmlPullParser.END_DOCUMENT;
          event = manifest.next()) {
        if (event == XmlPullParser.START_TAG && manifest.getName().equals("protected-broadcast")) {
          found.add(manifest.getAttributeValue(ANDROID, "name"));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the framework's manifest", e);
    } catch (XmlPullParserException e) {
      throw new IllegalStateException("the framework's manifest", e);
    }
    return found;
  }
}
