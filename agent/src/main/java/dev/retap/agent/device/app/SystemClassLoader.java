// The class loader that an app gets as the system's: it has the classes of the framework and none
// of the app's. The host's own would have those of another Android.
package dev.retap.agent.device.app;

final class SystemClassLoader extends ClassLoader {
  private final AppCode code;
  private final ClassLoader sandbox;

  SystemClassLoader(AppCode code, ClassLoader sandbox) {
    super(null);
    this.code = code;
    this.sandbox = sandbox;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!code.isOnBootClassPath(name)) {
      throw new ClassNotFoundException(name);
    }
    return sandbox.loadClass(name);
  }
}
