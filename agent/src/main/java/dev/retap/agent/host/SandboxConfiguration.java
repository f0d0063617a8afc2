// The configuration of the Robolectric sandbox: which classes it loads itself, and which it
// instruments.
package dev.retap.agent.host;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.robolectric.interceptors.AndroidInterceptors;
import org.robolectric.internal.bytecode.InstrumentationConfiguration;
import org.robolectric.internal.bytecode.Interceptor;
import org.robolectric.internal.bytecode.Interceptors;
import org.robolectric.internal.bytecode.MethodRef;
import org.robolectric.internal.bytecode.ShadowProviders;
import org.robolectric.util.inject.Injector;

final class SandboxConfiguration {
  private SandboxConfiguration() {}

  /** Returns the configuration for a tool that has no sandbox. */
  static InstrumentationConfiguration create() {
    Injector injector = new Injector.Builder(Host.class.getClassLoader()).build();
    return create(interceptors(), injector.getInstance(ShadowProviders.class));
  }

  /** Returns the interceptors of calls that the JDK has no method for. */
  static Interceptors interceptors() {
    List<Interceptor> interceptors = new ArrayList<>(AndroidInterceptors.all());
    interceptors.add(new WorldClockInterceptor());
    return new Interceptors(interceptors);
  }

  static InstrumentationConfiguration create(Interceptors interceptors, ShadowProviders shadows) {
    InstrumentationConfiguration.Builder builder = InstrumentationConfiguration.newBuilder();
    for (MethodRef method : interceptors.getAllMethodRefs()) {
      builder.addInterceptedMethod(method);
    }
    addSharedClasses(builder);
    addClassTranslations(builder);
    addInstrumentedPackages(builder);
    for (String prefix : shadows.getInstrumentedPackages()) {
      builder.addInstrumentedPackage(prefix);
    }
    return builder.build();
  }

  /**
   * Adds the classes that the sandbox shares with the agent. It loads its own copy of all others.
   */
  private static void addSharedClasses(InstrumentationConfiguration.Builder builder) {
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
  }

  /** Adds classes that old versions of the framework use and this JDK does not have. */
  private static void addClassTranslations(InstrumentationConfiguration.Builder builder) {
    builder
        .addClassNameTranslation(
            "java.net.ExtendedResponseCache", "org.robolectric.fakes.RoboExtendedResponseCache")
        .addClassNameTranslation(
            "java.net.ResponseSource", "org.robolectric.fakes.RoboResponseSource")
        .addClassNameTranslation("java.nio.charset.Charsets", StandardCharsets.class.getName())
        .addClassNameTranslation("java.lang.UnsafeByteSequence", Object.class.getName())
        .addClassNameTranslation("java.util.jar.StrictJarFile", Object.class.getName())
        .addClassNameTranslation("sun.misc.Cleaner", "java.lang.ref.Cleaner$Cleanable");
  }

  private static void addInstrumentedPackages(InstrumentationConfiguration.Builder builder) {
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
  }
}
