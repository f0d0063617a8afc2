// The text that a text view shows, which for a password is not the text it holds.
package dev.retap.agent.device.screen;

import android.text.InputType;
import android.text.method.PasswordTransformationMethod;
import android.widget.TextView;

final class ShownText {
  private ShownText() {}

  /** Returns the text with a password's characters replaced by dots. */
  static CharSequence text(TextView view) {
    CharSequence held = view.getText();
    return view.getTransformationMethod() instanceof PasswordTransformationMethod && held != null
        ? "\u2022".repeat(held.length())
        : held;
  }

  static boolean isPassword(TextView view) {
    int variation =
        view.getInputType() & (InputType.TYPE_MASK_CLASS | InputType.TYPE_MASK_VARIATION);
    return view.getTransformationMethod() instanceof PasswordTransformationMethod
        || variation == (InputType.TYPE_CLASS_TEXT | InputType.TYPE_TEXT_VARIATION_PASSWORD)
        || variation == (InputType.TYPE_CLASS_TEXT | InputType.TYPE_TEXT_VARIATION_WEB_PASSWORD)
        || variation == (InputType.TYPE_CLASS_NUMBER | InputType.TYPE_NUMBER_VARIATION_PASSWORD);
  }
}
