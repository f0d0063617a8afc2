// The Robolectric sandbox that runs one Android API level. The agent builds it by hand instead of
// with a test runner: the same steps without JUnit, and with ShadowFilter to decide which shadows
// apply.
package dev.retap.agent.host;

import dev.retap.agent.rewrite.FrameworkArchive;
import dev.retap.agent.rewrite.ShadowedMethods;
import dev.retap.agent.rewrite.WorldAgent;
import dev.retap.agent.shadow.ActivityThreadShadow;
import dev.retap.agent.shadow.DrawFilterShadow;
import dev.retap.agent.shadow.EnvironmentShadow;
import dev.retap.agent.shadow.LoadedApkShadow;
import dev.retap.agent.shadow.MagnifierShadow;
import dev.retap.agent.shadow.PackageManagerShadow;
import dev.retap.agent.shadow.PaintShadow;
import dev.retap.agent.shadow.StaticLayoutShadow;
import dev.retap.agent.shadow.ToastShadow;
import dev.retap.agent.shadow.UserEnvironmentShadow;
import dev.retap.agent.shadow.WallpaperManagerShadow;
import dev.retap.agent.shadow.WindowManagerGlobalShadow;
import dev.retap.agent.shadow.camera.CameraManagerShadow;
import dev.retap.agent.shadow.camera.CameraShadow;
import dev.retap.agent.shadow.graphics.GraphicsShadows;
import dev.retap.agent.shadow.input.KeyCharacterMapShadow;
import dev.retap.agent.shadow.input.KeyEventShadow;
import dev.retap.agent.shadow.input.MotionEventShadow;
import dev.retap.agent.shadow.libcore.AndroidCharacterShadow;
import dev.retap.agent.shadow.libcore.IcuShadow;
import dev.retap.agent.shadow.libcore.LinuxShadow;
import dev.retap.agent.shadow.libcore.LocaleDataShadow;
import dev.retap.agent.shadow.libcore.PosixShadow;
import dev.retap.agent.shadow.libcore.SQLiteConnectionShadow;
import dev.retap.agent.shadow.media.MediaShadows;
import dev.retap.agent.shadow.network.ConnectivityManagerShadow;
import dev.retap.agent.shadow.network.DownloadManagerShadow;
import dev.retap.agent.shadow.network.LocationManagerShadow;
import dev.retap.agent.shadow.network.TelephonyManagerShadow;
import dev.retap.agent.shadow.network.WifiManagerShadow;
import dev.retap.agent.shadow.opengl.OpenGlShadows;
import dev.retap.agent.shadow.parcel.CursorWindowShadow;
import dev.retap.agent.shadow.parcel.ParcelFileDescriptorShadow;
import dev.retap.agent.shadow.parcel.ParcelShadow;
import dev.retap.agent.shadow.parcel.RegionShadow;
import dev.retap.agent.shadow.sensor.SensorQueueShadow;
import dev.retap.agent.shadow.sensor.SystemSensorManagerShadow;
import dev.retap.agent.shadow.system.FileObserverThreadShadow;
import dev.retap.agent.shadow.system.SystemShadows;
import dev.retap.agent.shadow.system.VisualizerShadow;
import dev.retap.agent.wire.Phone;
import dev.retap.agent.world.ThreadGroups;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ThreadFactory;
import org.robolectric.annotation.ResourcesMode;
import org.robolectric.annotation.SQLiteMode;
import org.robolectric.internal.AndroidSandbox;
import org.robolectric.internal.bytecode.ClassHandlerBuilder;
import org.robolectric.internal.bytecode.ClassInstrumentor;
import org.robolectric.internal.bytecode.InstrumentationConfiguration;
import org.robolectric.internal.bytecode.Interceptors;
import org.robolectric.internal.bytecode.ShadowMap;
import org.robolectric.internal.bytecode.ShadowProviders;
import org.robolectric.pluginapi.Sdk;
import org.robolectric.pluginapi.SdkProvider;
import org.robolectric.util.inject.Injector;

public final class Host {
  /** The class that implements the phone; the sandbox loads it. */
  private static final String PHONE = "dev.retap.agent.device.EmbeddedPhone";

  /** The time between two frames of a phone with 60 a second, in whole milliseconds. */
  private static final int FRAME_MILLIS = 16;

  private final AndroidSandbox sandbox;
  private final Path androidJar;

  public Host(int apiLevel, Path androidJars) {
    System.setProperty("robolectric.defaultFrameDelayMs", Integer.toString(FRAME_MILLIS));
    // Windows get the place and size that they ask for; accessibility nodes are the framework's.
    System.setProperty("robolectric.windowManager.useRequestedSize", "true");
    System.setProperty("robolectric.useRealAni", "true");
    // An app may declare permissions and groups with names of Android, as on a phone.
    System.setProperty("robolectric.allowPlatformPermissions", "true");
    Properties properties = new Properties();
    properties.putAll(System.getProperties());
    properties.setProperty("robolectric.offline", "true");
    properties.setProperty("robolectric.dependency.dir", androidJars.toString());
    Injector injector =
        new Injector.Builder(Host.class.getClassLoader())
            .bind(Properties.class, properties)
            .build();
    Sdk sdk = findSdk(injector.getInstance(SdkProvider.class), apiLevel);
    androidJar = sdk.getJarPath();
    Interceptors interceptors = SandboxConfiguration.interceptors();
    ShadowProviders shadows = injector.getInstance(ShadowProviders.class);
    InstrumentationConfiguration configuration = SandboxConfiguration.create(interceptors, shadows);
    ClassInstrumentor instrumentor = injector.getInstance(ClassInstrumentor.class);
    AndroidSandbox.SdkSandboxClassLoader loader;
    if (WorldAgent.archive() == null) {
      WorldAgent.setShadowedMethods(shadowedMethods(apiLevel));
      loader = new AndroidSandbox.SdkSandboxClassLoader(configuration, sdk, instrumentor);
    } else {
      loader = new ArchiveClassLoader(configuration, sdk, instrumentor, WorldAgent.archive());
    }
    sandbox =
        new AndroidSandbox(
            sdk,
            sdk,
            ResourcesMode.Mode.BINARY,
            new AndroidSandbox.TestEnvironmentSpec(AgentTestEnvironment.class),
            loader,
            shadows,
            SQLiteMode.Mode.NATIVE) {
          @Override
          protected ThreadFactory mainThreadFactory() {
            String name = "SDK " + apiLevel + " Main Thread";
            return task -> new Thread(ThreadGroups.app(), task, name);
          }
        };
    List<Class<?>> own = ownShadows(apiLevel);
    ShadowMap map =
        shadows
            .getBaseShadowMap()
            .newBuilder()
            .addShadowClasses(own.toArray(new Class<?>[0]))
            .build();
    sandbox.replaceShadowMap(map);
    sandbox.configure(
        injector
            .getInstance(ClassHandlerBuilder.class)
            .build(map, new ShadowFilter(apiLevel, ShadowList.read()), interceptors),
        interceptors);
  }

  /** Returns the jar of the framework. */
  public Path androidJar() {
    return androidJar;
  }

  /** Creates the phone inside the sandbox. Its methods must be called through {@link #onMain}. */
  public Phone createPhone() {
    return onMain(
        () -> {
          Class<?> phone = sandbox.getRobolectricClassLoader().loadClass(PHONE);
          return (Phone)
              phone.getConstructor(Object.class).newInstance(sandbox.getTestEnvironment());
        });
  }

  /** Loads and links all classes of the archive, as a trial whether the JVM can. */
  public void linkArchive() throws ClassNotFoundException {
    ClassLoader loader = sandbox.getRobolectricClassLoader();
    for (String name : WorldAgent.archive().names()) {
      loader.loadClass(name.replace('/', '.')).getDeclaredConstructors();
    }
  }

  /** Runs the task on the app's main thread. */
  public <T> T onMain(java.util.concurrent.Callable<T> task) {
    return sandbox.runOnMainThread(task);
  }

  /** Writes the archive of an API level's classes to the folder. */
  public static void writeArchive(int apiLevel, Path androidJar, Path folder) throws IOException {
    FrameworkArchive.write(
        androidJar, shadowedMethods(apiLevel), new SandboxedClasses(androidJar), folder);
  }

  /** Returns the framework methods that shadows may replace on this API level. */
  public static ShadowedMethods shadowedMethods(int apiLevel) {
    return new ShadowedMethods(ownShadows(apiLevel), ShadowList.read()::allows);
  }

  /** Returns the shadows that the agent adds to those of Robolectric. */
  static List<Class<?>> ownShadows(int apiLevel) {
    List<Class<?>> shadows =
        new ArrayList<>(
            List.of(
                ConnectivityManagerShadow.class,
                DownloadManagerShadow.class,
                LocationManagerShadow.class,
                TelephonyManagerShadow.class,
                WifiManagerShadow.class,
                ActivityThreadShadow.class,
                AndroidCharacterShadow.class,
                IcuShadow.class,
                LocaleDataShadow.class,
                CameraShadow.class,
                CameraManagerShadow.class,
                CursorWindowShadow.class,
                DrawFilterShadow.class,
                KeyCharacterMapShadow.class,
                KeyEventShadow.class,
                FileObserverThreadShadow.class,
                LoadedApkShadow.class,
                MotionEventShadow.class,
                MagnifierShadow.class,
                ParcelFileDescriptorShadow.class,
                ParcelShadow.class,
                PackageManagerShadow.class,
                WallpaperManagerShadow.class,
                ToastShadow.class,
                UserEnvironmentShadow.class,
                VisualizerShadow.class,
                EnvironmentShadow.class,
                SensorQueueShadow.class,
                SystemSensorManagerShadow.class,
                WindowManagerGlobalShadow.class));
    shadows.addAll(GraphicsShadows.of(apiLevel));
    shadows.addAll(SystemShadows.all());
    shadows.addAll(MediaShadows.all());
    shadows.addAll(OpenGlShadows.all());
    if (apiLevel >= 35) {
      shadows.add(SQLiteConnectionShadow.class);
    }
    if (apiLevel >= 26) {
      shadows.add(LinuxShadow.class);
      shadows.add(RegionShadow.class);
    } else {
      shadows.add(PosixShadow.class);
      shadows.addAll(
          List.of(PaintShadow.class, StaticLayoutShadow.class, StaticLayoutShadow.Builder.class));
    }
    return shadows;
  }

  private static Sdk findSdk(SdkProvider provider, int apiLevel) {
    for (Sdk sdk : provider.getSdks()) {
      if (sdk.getApiLevel() == apiLevel) {
        return sdk;
      }
    }
    throw new IllegalArgumentException("no Android " + apiLevel + " is known to this agent");
  }
}
