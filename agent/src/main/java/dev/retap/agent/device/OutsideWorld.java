// The rest of a stock phone: which intents its apps take, and which of them is in front.
package dev.retap.agent.device;

import android.content.Intent;
import java.util.List;

final class OutsideWorld {
  /** An intent another app took, and who waits for its result. */
  record Visit(
      String app, Intent intent, ActivityRecord resultTo, String resultWho, int requestCode) {}

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
