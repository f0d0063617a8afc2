// A view of OpenGL gets its surface as every surface view does. Robolectric has a shadow of its own
// for this class, which would take the place of ours.
package dev.retap.agent.shadow.surface;

import android.opengl.GLSurfaceView;
import org.robolectric.annotation.Implements;

@Implements(GLSurfaceView.class)
public class GLSurfaceViewShadow extends SurfaceViewShadow {}
