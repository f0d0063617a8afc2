// The manifest of the framework itself: the permissions and groups that Android declares, with
// their labels and descriptions.
package dev.retap.agent.device.system.packages;

import android.content.pm.PackageItemInfo;
import android.content.pm.PermissionGroupInfo;
import android.content.pm.PermissionInfo;
import android.content.res.Resources;
import android.content.res.XmlResourceParser;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.xmlpull.v1.XmlPullParser;
import org.xmlpull.v1.XmlPullParserException;

record PlatformManifest(List<PermissionInfo> permissions, List<PermissionGroupInfo> groups) {
  private static final String NAMESPACE = "http://schemas.android.com/apk/res/android";

  private static PlatformManifest known;

  /** Reads it once, because it never changes. */
  static synchronized PlatformManifest get() {
    known = known == null ? read() : known;
    return known;
  }

  private static PlatformManifest read() {
    PlatformManifest found = new PlatformManifest(new ArrayList<>(), new ArrayList<>());
    try (XmlResourceParser in =
        Resources.getSystem().getAssets().openXmlResourceParser("AndroidManifest.xml")) {
      for (int event = in.next(); event != XmlPullParser.END_DOCUMENT; event = in.next()) {
        if (event == XmlPullParser.START_TAG) {
          found.add(in);
        }
      }
      return found;
    } catch (FileNotFoundException e) {
      // Old frameworks come without it here.
      return found;
    } catch (IOException e) {
      throw new UncheckedIOException("the framework's manifest", e);
    } catch (XmlPullParserException e) {
      throw new IllegalStateException("the framework's manifest", e);
    }
  }

  private void add(XmlResourceParser in) {
    if (in.getName().equals("permission")) {
      PermissionInfo info = new PermissionInfo();
      fill(info, in);
      info.descriptionRes = in.getAttributeResourceValue(NAMESPACE, "description", 0);
      info.protectionLevel = in.getAttributeIntValue(NAMESPACE, "protectionLevel", 0);
      info.flags = in.getAttributeIntValue(NAMESPACE, "permissionFlags", 0);
      info.group = in.getAttributeValue(NAMESPACE, "permissionGroup");
      permissions.add(info);
    } else if (in.getName().equals("permission-group")) {
      PermissionGroupInfo info = new PermissionGroupInfo();
      fill(info, in);
      info.descriptionRes = in.getAttributeResourceValue(NAMESPACE, "description", 0);
      info.priority = in.getAttributeIntValue(NAMESPACE, "priority", 0);
      groups.add(info);
    }
  }

  private static void fill(PackageItemInfo info, XmlResourceParser in) {
    info.name = in.getAttributeValue(NAMESPACE, "name");
    info.packageName = "android";
    info.labelRes = in.getAttributeResourceValue(NAMESPACE, "label", 0);
    info.icon = in.getAttributeResourceValue(NAMESPACE, "icon", 0);
  }
}
