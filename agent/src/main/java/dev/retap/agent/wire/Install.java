// Everything the phone needs to know about the app and the screen, once per process.
package dev.retap.agent.wire;

import java.util.List;

/**
 * @param apks the base first, then its splits
 * @param classes all of the app's classes
 * @param probed those of them whose coverage counts, to be taken instead; empty for none
 */
public record Install(
    List<String> apks,
    String classes,
    String probed,
    int width,
    int height,
    int dpi,
    boolean navigationBar,
    List<String> outside) {}
