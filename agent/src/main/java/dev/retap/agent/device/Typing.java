// Text the way a soft keyboard enters it: through the focused view's input connection.
package dev.retap.agent.device;

import android.view.View;
import android.view.inputmethod.EditorInfo;
import android.view.inputmethod.ExtractedTextRequest;
import android.view.inputmethod.ExtractedText;
import android.view.inputmethod.InputConnection;

final class Typing {
  private Typing() {}

  /** Replaces the content of the focused field, if one has the focus. */
  static void replace(View window, String text) {
    View field = window.findFocus();
    if (field == null || !field.onCheckIsTextEditor()) {
      return;
    }
    InputConnection connection = field.onCreateInputConnection(new EditorInfo());
    if (connection == null) {
      return;
    }
    connection.beginBatchEdit();
    ExtractedText old = connection.getExtractedText(new ExtractedTextRequest(), 0);
    if (old != null && old.text != null) {
      connection.setSelection(0, old.text.length());
    }
    connection.commitText(text, 1);
    connection.endBatchEdit();
  }

  /** The action key ("search", "next", "done"); false where that key would enter a new line. */
  static boolean act(View window) {
    View field = window.findFocus();
    EditorInfo info = new EditorInfo();
    InputConnection connection =
        field == null || !field.onCheckIsTextEditor() ? null : field.onCreateInputConnection(info);
    int action = info.imeOptions & EditorInfo.IME_MASK_ACTION;
    return connection != null
        && action != EditorInfo.IME_ACTION_NONE
        && action != EditorInfo.IME_ACTION_UNSPECIFIED
        && (info.imeOptions & EditorInfo.IME_FLAG_NO_ENTER_ACTION) == 0
        && connection.performEditorAction(action);
  }
}
