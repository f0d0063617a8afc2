// The rest of a stock phone: which intents its apps take, and which of them is in front.
package dev.retap.agent.device;

import android.content.Intent;
import java.util.List;

final class OutsideWorld {
  /** An intent another app took, and who waits for its result. */
  record Visit(
      String app, Intent intent, ActivityRecord resultTo, String resultWho, int requestCode) {}

  /** A stock phone without Google's apps. */
  static final List<String> STOCK =
      List.of(
          "com.android.browser=android.intent.action.VIEW,android.intent.action.WEB_SEARCH;"
              + "http,https,about;",
          "com.android.dialer=android.intent.action.DIAL,android.intent.action.CALL,"
              + "android.intent.action.VIEW;tel;",
          "com.android.messaging=android.intent.action.SENDTO,android.intent.action.VIEW;"
              + "sms,smsto,mms,mmsto;",
          "com.android.email=android.intent.action.SENDTO,android.intent.action.VIEW;mailto;",
          "com.android.contacts=android.intent.action.PICK,android.intent.action.GET_CONTENT,"
              + "android.intent.action.VIEW,android.intent.action.INSERT,"
              + "android.intent.action.INSERT_OR_EDIT;;vnd.android.cursor.item/*,"
              + "vnd.android.cursor.dir/*",
          "com.android.contacts=android.intent.action.PICK,android.intent.action.VIEW,"
              + "android.intent.action.INSERT;content;",
          "com.android.camera2=android.media.action.*",
          "com.android.documentsui=android.intent.action.GET_CONTENT,"
              + "android.intent.action.OPEN_DOCUMENT,android.intent.action.CREATE_DOCUMENT,"
              + "android.intent.action.OPEN_DOCUMENT_TREE",
          "com.android.gallery3d=android.intent.action.PICK,android.intent.action.VIEW;;image/*,"
              + "video/*",
          "com.android.intentresolver=android.intent.action.CHOOSER,android.intent.action.SEND,"
              + "android.intent.action.SEND_MULTIPLE",
          "com.android.settings=android.settings.*");

  private final List<String> apps;
  private Visit current;

  /** Each app is given as `package=action[,action…][;scheme…][;mime…]`; see docs/agent.md. */
  OutsideWorld(List<String> apps) {
    this.apps = apps;
  }

  Visit current() {
    return current;
  }

  boolean takes(Intent intent) {
    return app(intent) != null;
  }

  void visit(Intent intent, ActivityRecord resultTo, String resultWho, int requestCode) {
    current = new Visit(app(intent), intent, resultTo, resultWho, requestCode);
  }

  Visit leave() {
    Visit left = current;
    current = null;
    return left;
  }

  void cancel() {
    current = null;
  }

  private String app(Intent intent) {
    if (intent.getComponent() != null) {
      return null;
    }
    for (String app : apps) {
      if (OutsideApp.parse(app).takes(intent)) {
        return OutsideApp.parse(app).name();
      }
    }
    return null;
  }
}
