// Everything the phone needs to know about the app and the screen, once per process.
package dev.retap.agent.wire;

import java.util.List;

public record Install(
    String apk,
    String classes,
    int width,
    int height,
    int dpi,
    boolean navigationBar,
    List<String> outside) {}
