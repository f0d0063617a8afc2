// The root view of a window that belongs to another app.
package dev.retap.agent.device.screen;

public interface OutsideWindow {
  String packageName();

  /** Returns true for a dialog over the app, false for a screen of its own. */
  boolean isOverlay();
}
