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
}
