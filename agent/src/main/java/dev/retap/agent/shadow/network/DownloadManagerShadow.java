// Downloads wait for a network that brings something, which this phone never has.
package dev.retap.agent.shadow.network;

import android.app.DownloadManager;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowDownloadManager;

@Implements(DownloadManager.class)
public class DownloadManagerShadow extends ShadowDownloadManager {
  @Override
  @Implementation
  protected long enqueue(DownloadManager.Request request) {
    Shadow.<ShadowRequest>extract(request).setStatus(DownloadManager.STATUS_PENDING);
    return super.enqueue(request);
  }
}
