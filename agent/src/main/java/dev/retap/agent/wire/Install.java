// The app and the screen of a phone, set once per process.
package dev.retap.agent.wire;

import java.util.List;

/**
 * @param apks the base, then its splits
 * @param testApks the test APK whose instrumentation the app runs under, if there is one, and the
 *     app that the instrumentation belongs to, if that is another one
 * @param classes the jar of all classes of the app and the test APK
 * @param probed the jar of the counted classes with probes, which replace those of `classes`
 * @param sharesClasses whether all processes of the app can share its classes
 * @param outside changes to the set of other apps on the phone (docs/agent.md, "Outside")
 */
public record Install(
    List<String> apks,
    List<String> testApks,
    String classes,
    String probed,
    boolean sharesClasses,
    int width,
    int height,
    int dpi,
    boolean navigationBar,
    List<String> outside) {
  /** Returns the test APK, or an empty string. */
  public String testApk() {
    return testApks.isEmpty() ? "" : testApks.get(0);
  }
}
