// Describes a view whose getters fail, attribute by attribute. They are the app's code, and a phone
// calls them only for an accessibility service: a failure there shows nothing to the user.
package dev.retap.agent.device.screen;

import android.view.View;
import android.widget.TextView;
import java.util.function.Supplier;

final class GuardedWidget {
  private GuardedWidget() {}

  static Widget of(View view) {
    TextView text = view instanceof TextView textView ? textView : null;
    return new Widget(
        get(view::getAccessibilityClassName, view.getClass().getName()),
        get(() -> Widget.id(view), null),
        text == null ? null : get(() -> ShownText.text(text), null),
        get(view::getContentDescription, null),
        text == null ? null : get(text::getHint, null),
        get(() -> Widget.flags(view, text), 0));
  }

  /** Returns the attribute, or the other value if the app's getter fails. */
  static <T> T get(Supplier<T> attribute, T otherwise) {
    try {
      return attribute.get();
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      return otherwise;
    }
  }
}
