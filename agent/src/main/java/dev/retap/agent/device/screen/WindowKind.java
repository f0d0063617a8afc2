// The kinds of windows, in the order of the protocol's numbers.
package dev.retap.agent.device.screen;

public enum WindowKind {
  ACTIVITY,
  DIALOG,
  MENU,
  POPUP,
  KEYBOARD,
  TOAST,
  OUTSIDE
}
