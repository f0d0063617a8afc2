// The parameters of a camera of the old interface, in the text form that the framework exchanges
// with the camera's service: `key=value;key=value`. Settings that the camera does not list as its
// own are refused.
package dev.retap.agent.shadow.camera;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

final class CameraSettings {
  private static final String VALUES = "-values";

  private static final String COMMON =
      "preview-size=640x480;preview-size-values=1280x720,640x480,320x240,176x144;"
          + "preview-format=yuv420sp;preview-format-values=yuv420sp,yuv420p;"
          + "preview-frame-rate=30;preview-frame-rate-values=15,24,30;"
          + "preview-fps-range=15000,30000;"
          + "preview-fps-range-values=(15000,15000),(15000,30000),(30000,30000);"
          + "picture-size=1280x960;picture-size-values=1600x1200,1280x960,1280x720,640x480,320x240;"
          + "picture-format=jpeg;picture-format-values=jpeg;jpeg-quality=90;"
          + "jpeg-thumbnail-width=320;jpeg-thumbnail-height=240;jpeg-thumbnail-quality=90;"
          + "jpeg-thumbnail-size-values=320x240,0x0;"
          + "video-size=1280x720;video-size-values=1280x720,640x480;"
          + "preferred-preview-size-for-video=1280x720;video-frame-format=android-opaque;"
          + "video-snapshot-supported=true;video-stabilization-supported=false;recording-hint=false;"
          + "whitebalance=auto;whitebalance-values=auto,incandescent,fluorescent,daylight,cloudy-daylight;"
          + "effect=none;effect-values=none,mono,negative,sepia;"
          + "antibanding=auto;antibanding-values=off,50hz,60hz,auto;"
          + "scene-mode=auto;scene-mode-values=auto,portrait,landscape,night;"
          + "exposure-compensation=0;max-exposure-compensation=6;min-exposure-compensation=-6;"
          + "exposure-compensation-step=0.333333;"
          + "auto-exposure-lock=false;auto-exposure-lock-supported=true;"
          + "auto-whitebalance-lock=false;auto-whitebalance-lock-supported=true;"
          + "zoom=0;max-zoom=4;zoom-ratios=100,150,200,300,400;zoom-supported=true;"
          + "smooth-zoom-supported=false;focal-length=3.5;"
          + "horizontal-view-angle=60.0;vertical-view-angle=47.0;"
          + "max-num-detected-faces-hw=0;max-num-detected-faces-sw=0;";

  private static final String BACK =
      "flash-mode=off;flash-mode-values=off,auto,on,torch;"
          + "focus-mode=auto;"
          + "focus-mode-values=auto,infinity,macro,continuous-video,continuous-picture;"
          + "focus-distances=0.95,1.9,Infinity;"
          + "max-num-focus-areas=1;focus-areas=(0,0,0,0,0);"
          + "max-num-metering-areas=1;metering-areas=(0,0,0,0,0)";

  private static final String FRONT =
      "focus-mode=fixed;focus-mode-values=fixed;focus-distances=0.95,1.9,Infinity;"
          + "max-num-focus-areas=0;max-num-metering-areas=0";

  private final Map<String, String> values;

  CameraSettings(boolean isFront) {
    values = parse(COMMON + (isFront ? FRONT : BACK));
  }

  /** Returns the parameters as text. */
  String flatten() {
    return values.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + entry.getValue())
        .collect(Collectors.joining(";"));
  }

  /** Takes the parameters over. Returns false, and takes none, if the camera cannot have one. */
  boolean set(String flattened) {
    Map<String, String> wanted = parse(flattened);
    for (Map.Entry<String, String> entry : wanted.entrySet()) {
      String possible = values.get(entry.getKey() + VALUES);
      boolean changes = !entry.getValue().equals(values.get(entry.getKey()));
      if (changes && possible != null && !isAmong(entry.getValue(), possible)) {
        return false;
      }
    }
    wanted.forEach(
        (key, value) -> {
          if (!key.endsWith(VALUES)) {
            values.put(key, value);
          }
        });
    return true;
  }

  int previewWidth() {
    return size("preview-size")[0];
  }

  int previewHeight() {
    return size("preview-size")[1];
  }

  byte[] picture() {
    int[] size = size("picture-size");
    return StillScene.jpeg(size[0], size[1], Integer.parseInt(values.get("jpeg-quality")));
  }

  private int[] size(String key) {
    return Arrays.stream(values.get(key).split("x")).mapToInt(Integer::parseInt).toArray();
  }

  private static boolean isAmong(String value, String possible) {
    boolean isRange = possible.startsWith("(");
    return isRange
        ? possible.contains("(" + value + ")")
        : Arrays.asList(possible.split(",")).contains(value);
  }

  private static Map<String, String> parse(String flattened) {
    Map<String, String> parsed = new TreeMap<>();
    for (String pair : flattened.split(";")) {
      int sign = pair.indexOf('=');
      if (sign > 0) {
        parsed.put(pair.substring(0, sign), pair.substring(sign + 1));
      }
    }
    return parsed;
  }
}
