// Everything the phone needs to know about the app and the screen, once per process.
package dev.retap.agent.wire;

import java.util.List;

/**
 * @param classes all of the app's classes
 * @param probed those of them whose coverage counts, to be taken instead; empty for none
 */
public record Install(
    String apk,
    String classes,
    String probed,
    int width,
    int height,
    int dpi,
    boolean navigationBar,
    List<String> outside) {}
