// The window of a stand-in app: its title and one button for each thing the user can do there.
// It is a real window with real widgets, so that it is observed, touched and drawn like any
// other.
package dev.retap.agent.device.outside;

import android.content.Context;
import android.graphics.Color;
import android.view.ContextThemeWrapper;
import android.view.Gravity;
import android.view.WindowManager;
import android.widget.Button;
import android.widget.LinearLayout;
import android.widget.TextView;
import dev.retap.agent.device.screen.OutsideWindow;
import java.util.List;

final class OutsideView extends LinearLayout implements OutsideWindow {
  private final String packageName;
  private final boolean isOverlay;

  private OutsideView(Context context, String packageName, boolean isOverlay) {
    super(context);
    this.packageName = packageName;
    this.isOverlay = isOverlay;
  }

  /** Adds the window to the screen; {@link #close} removes it. */
  static OutsideView open(
      Context system, String packageName, String title, boolean isOverlay, List<Choice> choices) {
    Context themed = new ContextThemeWrapper(system, android.R.style.Theme_Material_Light);
    OutsideView view = new OutsideView(themed, packageName, isOverlay);
    int padding = Math.round(16 * themed.getResources().getDisplayMetrics().density);
    view.setOrientation(VERTICAL);
    view.setPadding(padding, padding, padding, padding);
    view.setBackgroundColor(Color.WHITE);
    TextView heading = new TextView(themed);
    heading.setId(android.R.id.title);
    heading.setText(title);
    heading.setTextSize(20);
    view.addView(heading);
    for (Choice choice : choices) {
      Button button = new Button(themed);
      button.setText(choice.label());
      button.setOnClickListener(pressed -> choice.action().run());
      view.addView(button, LayoutParams.MATCH_PARENT, LayoutParams.WRAP_CONTENT);
    }
    WindowManager.LayoutParams params = new WindowManager.LayoutParams();
    params.type = WindowManager.LayoutParams.TYPE_SYSTEM_ALERT;
    params.packageName = packageName;
    params.setTitle(title);
    params.gravity = Gravity.CENTER;
    params.width = LayoutParams.MATCH_PARENT;
    params.height = isOverlay ? LayoutParams.WRAP_CONTENT : LayoutParams.MATCH_PARENT;
    if (isOverlay) {
      params.flags = WindowManager.LayoutParams.FLAG_DIM_BEHIND;
      params.dimAmount = 0.6f;
    }
    windows(system).addView(view, params);
    return view;
  }

  @Override
  public String packageName() {
    return packageName;
  }

  @Override
  public boolean isOverlay() {
    return isOverlay;
  }

  void close() {
    windows(getContext()).removeViewImmediate(this);
  }

  private static WindowManager windows(Context context) {
    return (WindowManager) context.getSystemService(Context.WINDOW_SERVICE);
  }

  /** A button and what it does. */
  record Choice(String label, Runnable action) {}
}
