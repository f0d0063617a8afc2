// The Robolectric modes of this phone, in the form that Robolectric's set-up asks for.
package dev.retap.agent.device.robolectric;

import java.util.Collection;
import java.util.Map;
import org.robolectric.annotation.Config;
import org.robolectric.annotation.ConscryptMode;
import org.robolectric.annotation.GraphicsMode;
import org.robolectric.annotation.LooperMode;
import org.robolectric.annotation.ResourcesMode;
import org.robolectric.annotation.SQLiteMode;
import org.robolectric.annotation.experimental.LazyApplication.LazyLoad;
import org.robolectric.pluginapi.config.ConfigurationStrategy.Configuration;

final class RobolectricModes implements Configuration {
  private final Map<Class<?>, Object> modes;

  /** The application is loaded lazily: by the agent and not by Robolectric. */
  RobolectricModes(String qualifiers) {
    modes =
        Map.of(
            Config.class, new Config.Builder().setQualifiers(qualifiers).build(),
            LooperMode.Mode.class, LooperMode.Mode.PAUSED,
            GraphicsMode.Mode.class, GraphicsMode.Mode.NATIVE,
            SQLiteMode.Mode.class, SQLiteMode.Mode.NATIVE,
            ResourcesMode.Mode.class, ResourcesMode.Mode.BINARY,
            ConscryptMode.Mode.class, ConscryptMode.Mode.OFF,
            LazyLoad.class, LazyLoad.ON);
  }

  @Override
  public <T> T get(Class<T> mode) {
    return mode.cast(modes.get(mode));
  }

  @Override
  public Collection<Class<?>> keySet() {
    return modes.keySet();
  }

  @Override
  public Map<Class<?>, Object> map() {
    return modes;
  }
}
