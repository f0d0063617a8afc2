// Loading a library of the APK succeeds, loading another fails as on a phone, and no machine code
// runs.
package dev.retap.agent.device.app;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import dev.retap.agent.world.MissingCalls;
import java.util.Set;
import org.junit.Test;

public final class NativeLibrariesTest {
  private static final String CALL = "com.example.Codec.decode";

  @Test
  public void aLibraryOfTheApkIsLoadedByNameOrPath() {
    NativeLibraries.begin(Set.of("libfoo.so"));
    NativeLibraries.loadLibrary("foo");
    NativeLibraries.loadLibrary(Runtime.getRuntime(), "foo");
    NativeLibraries.load("/data/app/lib/libfoo.so");
    assertTrue(NativeLibraries.refuse(CALL).getMessage().startsWith(MissingCalls.MESSAGE));
  }

  @Test
  public void aLibraryThatTheApkLacksIsNotFound() {
    NativeLibraries.begin(Set.of("libfoo.so"));
    UnsatisfiedLinkError error =
        assertThrows(UnsatisfiedLinkError.class, () -> NativeLibraries.loadLibrary("bar"));
    assertTrue(error.getMessage(), error.getMessage().contains("couldn't find \"libbar.so\""));
    assertThrows(UnsatisfiedLinkError.class, () -> NativeLibraries.load("/data/libbar.so"));
    assertThrows(UnsatisfiedLinkError.class, () -> NativeLibraries.load("libfoo.so"));
  }

  @Test
  public void withoutALoadedLibraryAPhoneHasNoCodeEither() {
    NativeLibraries.begin(Set.of("libfoo.so"));
    NativeLibraries.loadLibrary("log");
    assertFalse(NativeLibraries.refuse(CALL).getMessage().startsWith(MissingCalls.MESSAGE));
  }
}
