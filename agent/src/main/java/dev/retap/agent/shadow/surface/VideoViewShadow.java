// A video view gets its surface as every surface view does. Robolectric has a shadow of its own for
// this class, which would take the place of ours.
package dev.retap.agent.shadow.surface;

import android.widget.VideoView;
import org.robolectric.annotation.Implements;

@Implements(VideoView.class)
public class VideoViewShadow extends SurfaceViewShadow {}
