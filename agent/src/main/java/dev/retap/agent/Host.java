// The Robolectric sandbox that carries one Android API level. Built by hand rather than through a
// test runner: the same steps, without JUnit, and with FrameworkFirst deciding which shadows apply.
package dev.retap.agent;

import dev.retap.agent.shadow.ClientThread;
import dev.retap.agent.shadow.LineBreaks;
import dev.retap.agent.shadow.MeasuredPaint;
import dev.retap.agent.shadow.NoCamera;
import dev.retap.agent.shadow.NoMagnifier;
import dev.retap.agent.shadow.PlainWallpaper;
import dev.retap.agent.shadow.SharedStorage;
import dev.retap.agent.shadow.ShownToast;
import dev.retap.agent.shadow.SilentVisualizer;
import dev.retap.agent.shadow.StorageState;
import dev.retap.agent.shadow.WindowSession;
import dev.retap.agent.wire.Phone;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.robolectric.annotation.ResourcesMode;
import org.robolectric.annotation.SQLiteMode;
import org.robolectric.interceptors.AndroidInterceptors;
import org.robolectric.internal.AndroidSandbox;
import org.robolectric.internal.SandboxManager;
import org.robolectric.internal.bytecode.ClassHandlerBuilder;
import org.robolectric.internal.bytecode.InstrumentationConfiguration;
import org.robolectric.internal.bytecode.Interceptor;
import org.robolectric.internal.bytecode.Interceptors;
import org.robolectric.internal.bytecode.MethodRef;
import org.robolectric.internal.bytecode.ShadowMap;
import org.robolectric.internal.bytecode.ShadowProviders;
import org.robolectric.pluginapi.Sdk;
import org.robolectric.pluginapi.SdkProvider;
import org.robolectric.util.inject.Injector;

final class Host {
  private static final String PHONE = "dev.retap.agent.device.EmbeddedPhone";

  private final AndroidSandbox sandbox;

  /** Frames of a slow phone: an animation takes as long but costs a third. */
  private static final int FRAME_MILLIS = 50;

  Host(int apiLevel, Path androidJars) {
    System.setProperty("robolectric.defaultFrameDelayMs", Integer.toString(FRAME_MILLIS));
    // Windows where and as large as they ask to be; accessibility nodes that are the framework's.
    System.setProperty("robolectric.windowManager.useRequestedSize", "true");
    System.setProperty("robolectric.useRealAni", "true");
    Properties properties = new Properties();
    properties.putAll(System.getProperties());
    properties.setProperty("robolectric.offline", "true");
    properties.setProperty("robolectric.dependency.dir", androidJars.toString());
    Injector injector =
        new Injector.Builder(Host.class.getClassLoader())
            .bind(Properties.class, properties)
            .bind(
                AndroidSandbox.TestEnvironmentSpec.class,
                new AndroidSandbox.TestEnvironmentSpec(Boot.class))
            .build();
    Sdk sdk = sdk(injector.getInstance(SdkProvider.class), apiLevel);
    List<Interceptor> intercepted = new ArrayList<>(AndroidInterceptors.all());
    intercepted.add(new WorldClock());
    Interceptors interceptors = new Interceptors(intercepted);
    ShadowProviders shadows = injector.getInstance(ShadowProviders.class);
    sandbox =
        injector
            .getInstance(SandboxManager.SandboxBuilder.class)
            .build(
                instrumentation(interceptors, shadows),
                sdk,
                sdk,
                ResourcesMode.Mode.BINARY,
                SQLiteMode.Mode.NATIVE);
    List<Class<?>> own = ownShadows(apiLevel);
    WorldAgent.shortenCalls(shadowed(apiLevel));
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
            .build(map, new FrameworkFirst(apiLevel), interceptors),
        interceptors);
  }

  /** The phone inside the sandbox; its methods must be called through {@link #onMain}. */
  Phone phone() {
    return onMain(
        () -> {
          Class<?> phone = sandbox.getRobolectricClassLoader().loadClass(PHONE);
          return (Phone)
              phone
                  .getConstructor(Object.class)
                  .newInstance(sandbox.getTestEnvironment());
        });
  }

  <T> T onMain(java.util.concurrent.Callable<T> task) {
    return sandbox.runOnMainThread(
        () -> {
          Thread.currentThread().setContextClassLoader(sandbox.getRobolectricClassLoader());
          return task.call();
        });
  }

  static ShadowedNames shadowed(int apiLevel) {
    return new ShadowedNames(ownShadows(apiLevel));
  }

  private static List<Class<?>> ownShadows(int apiLevel) {
    List<Class<?>> shadows =
        new ArrayList<>(
            List.of(
                ClientThread.class, NoCamera.class, NoMagnifier.class, PlainWallpaper.class,
                ShownToast.class, SharedStorage.class, SilentVisualizer.class, StorageState.class,
                WindowSession.class));
    if (apiLevel < 26) {
      shadows.addAll(List.of(MeasuredPaint.class, LineBreaks.class, LineBreaks.Builder.class));
    }
    return shadows;
  }

  private static Sdk sdk(SdkProvider provider, int apiLevel) {
    for (Sdk sdk : provider.getSdks()) {
      if (sdk.getApiLevel() == apiLevel) {
        return sdk;
      }
    }
    throw new IllegalArgumentException("no Android " + apiLevel + " is known to this agent");
  }

  private static InstrumentationConfiguration instrumentation(
      Interceptors interceptors, ShadowProviders shadows) {
    InstrumentationConfiguration.Builder builder = InstrumentationConfiguration.newBuilder();
    for (MethodRef method : interceptors.getAllMethodRefs()) {
      builder.addInterceptedMethod(method);
    }
    builder
        .doNotAcquireClass("org.robolectric.shadow.api.ShadowPicker")
        .doNotAcquirePackage("dev.retap.agent.coverage.")
        .doNotAcquirePackage("dev.retap.agent.wire.")
        .doNotAcquirePackage("dev.retap.agent.world.")
        .doNotAcquirePackage("java.")
        .doNotAcquirePackage("jdk.internal.")
        .doNotAcquirePackage("org.bouncycastle.")
        .doNotAcquirePackage("org.conscrypt.")
        .doNotAcquirePackage("org.objectweb.asm")
        .doNotAcquirePackage("org.robolectric.manifest.")
        .doNotAcquirePackage("org.robolectric.res.")
        .doNotAcquirePackage("org.w3c.")
        .doNotAcquirePackage("org.xml.");
    // Names that old framework classes use and today's JDK does not have.
    builder
        .addClassNameTranslation(
            "java.net.ExtendedResponseCache", "org.robolectric.fakes.RoboExtendedResponseCache")
        .addClassNameTranslation(
            "java.net.ResponseSource", "org.robolectric.fakes.RoboResponseSource")
        .addClassNameTranslation("java.nio.charset.Charsets", StandardCharsets.class.getName())
        .addClassNameTranslation("java.lang.UnsafeByteSequence", Object.class.getName())
        .addClassNameTranslation("java.util.jar.StrictJarFile", Object.class.getName())
        .addClassNameTranslation("sun.misc.Cleaner", "java.lang.ref.Cleaner$Cleanable");
    builder
        .doNotInstrumentPackage("android.R")
        .doNotInstrumentClass("android.app.RecoverableSecurityException")
        .addInstrumentedPackage("dalvik.")
        .addInstrumentedPackage("libcore.")
        .addInstrumentedPackage("android.")
        .addInstrumentedPackage("com.android.internal.")
        .addInstrumentedPackage("org.apache.http.")
        .addInstrumentedPackage("org.ccil.cowan.tagsoup.")
        .addInstrumentedPackage("org.kxml2.");
    for (String prefix : shadows.getInstrumentedPackages()) {
      builder.addInstrumentedPackage(prefix);
    }
    return builder.build();
  }
}
