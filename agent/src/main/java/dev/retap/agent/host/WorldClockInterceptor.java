// Gives the framework's classes the world's time of day, so that they agree with what the app
// computes. Robolectric would answer with the time since its start. The class is public because
// Robolectric creates another instance by reflection.
package dev.retap.agent.host;

import dev.retap.agent.world.Blocking;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.robolectric.internal.bytecode.Interceptor;
import org.robolectric.internal.bytecode.MethodRef;
import org.robolectric.internal.bytecode.MethodSignature;
import org.robolectric.util.Function;

public final class WorldClockInterceptor extends Interceptor {
  public WorldClockInterceptor() {
    super(new MethodRef(System.class, "currentTimeMillis"));
  }

  @Override
  public Function<Object, Object> handle(MethodSignature signature) {
    return (type, value, parameters) -> Blocking.worldTimeMillis();
  }

  @Override
  public MethodHandle getMethodHandle(String name, MethodType type)
      throws NoSuchMethodException, IllegalAccessException {
    return MethodHandles.lookup().findStatic(Blocking.class, "worldTimeMillis", type);
  }
}
