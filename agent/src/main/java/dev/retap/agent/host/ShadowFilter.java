// Decides which of Robolectric's shadow methods apply: those of native methods, and those that
// ShadowList has. DirectCalls makes Java methods without an entry call their own code before this
// filter is asked, so what is left to decide here are static initialisers.
package dev.retap.agent.host;

import java.lang.reflect.Method;
import org.robolectric.android.AndroidSdkShadowMatcher;
import org.robolectric.internal.bytecode.ShadowConstants;

final class ShadowFilter extends AndroidSdkShadowMatcher {
  private final ShadowList list;

  ShadowFilter(int apiLevel, ShadowList list) {
    super(apiLevel);
    this.list = list;
  }

  @Override
  public boolean matches(Method method) {
    if (method.getName().equals(ShadowConstants.STATIC_INITIALIZER_METHOD_NAME)
        && !list.allows(method.getDeclaringClass().getName(), method.getName())) {
      return false;
    }
    return super.matches(method);
  }
}
