// A video view has its surface, but no video is ever ready to play: decoders are native.
package dev.retap.agent.shadow.surface;

import android.widget.VideoView;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;

@Implements(VideoView.class)
public class VideoViewShadow extends SurfaceViewShadow {
  @Implementation
  protected void openVideo() {}
}
