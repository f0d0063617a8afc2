// The time of day as the framework's own classes ask for it: the world's, so that what an app computes
// from it and what the framework does agree. The host would answer with the time since its start. Public,
// because Robolectric makes another by reflection.
package dev.retap.agent;

import dev.retap.agent.world.Blocking;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.robolectric.internal.bytecode.Interceptor;
import org.robolectric.internal.bytecode.MethodRef;
import org.robolectric.internal.bytecode.MethodSignature;
import org.robolectric.util.Function;

public final class WorldClock extends Interceptor {
  public WorldClock() {
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
