// Enters text as a soft keyboard does: through the focused view's input connection.
package dev.retap.agent.device.input;

import android.view.View;
import android.view.inputmethod.EditorInfo;
import android.view.inputmethod.ExtractedText;
import android.view.inputmethod.ExtractedTextRequest;
import android.view.inputmethod.InputConnection;

public final class TextEntry {
  private TextEntry() {}

  /** Replaces the content of the focused field, if one has the focus. */
  public static void replace(View window, String text) {
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

  /** Presses the action key ("search", "next"); returns false if it would enter a new line. */
  static boolean performAction(View window) {
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
