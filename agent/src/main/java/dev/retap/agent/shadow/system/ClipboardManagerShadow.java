// Knows a text on the clipboard from other content.
package dev.retap.agent.shadow.system;

import android.content.ClipData;
import android.content.ClipboardManager;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowClipboardManager;

@Implements(ClipboardManager.class)
public class ClipboardManagerShadow extends ShadowClipboardManager {
  @Override
  @Implementation
  protected boolean hasText() {
    ClipData clip = getPrimaryClip();
    CharSequence text = clip == null ? null : clip.getItemAt(0).getText();
    return text != null && text.length() > 0;
  }
}
