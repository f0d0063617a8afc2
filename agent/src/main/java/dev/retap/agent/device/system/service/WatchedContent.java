// An address whose changes somebody wants to hear of.
package dev.retap.agent.device.system.service;

import android.net.Uri;
import java.util.List;
import java.util.Objects;

/**
 * The address.
 *
 * @param below if what lies below the address is watched too
 */
public record WatchedContent(Uri at, boolean below) {
  /** Returns true if a change of the given address is one of this address. */
  public boolean sees(Uri changed) {
    if (!Objects.equals(at.getAuthority(), changed.getAuthority())) {
      return false;
    }
    List<String> own = at.getPathSegments();
    List<String> theirs = changed.getPathSegments();
    int shared = Math.min(own.size(), theirs.size());
    return own.subList(0, shared).equals(theirs.subList(0, shared))
        && (below || theirs.size() <= own.size());
  }
}
