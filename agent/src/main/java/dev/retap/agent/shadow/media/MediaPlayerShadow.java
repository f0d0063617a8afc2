// The native methods of the media player: as on a phone a wrong call is an exception, or an error
// that is told later, and a released player refuses everything.
package dev.retap.agent.shadow.media;

import android.media.MediaDataSource;
import android.media.MediaPlayer;
import android.media.PlaybackParams;
import android.media.SyncParams;
import android.os.IBinder;
import android.os.Parcel;
import android.view.Surface;
import java.io.FileDescriptor;
import java.io.IOException;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

@Implements(MediaPlayer.class)
public class MediaPlayerShadow {
  private static final int TRACKS_REQUEST = 1;
  private static final int FIRST_SESSION = 17;

  @RealObject private MediaPlayer real;

  /** Null once the player is released. */
  private NativePlayer player;

  private int stream = android.media.AudioManager.STREAM_MUSIC;
  private int session = FIRST_SESSION;
  private PlaybackParams parameters = new PlaybackParams().allowDefaults();
  private SyncParams synchronization = new SyncParams().allowDefaults();

  @Implementation
  protected static void __staticInitializer__() {}

  @Implementation
  protected void native_setup(Object self) {
    setUp(self);
  }

  @Implementation
  protected void native_setup(Object self, Parcel attribution) {
    setUp(self);
  }

  @Implementation
  protected void native_setup(Object self, Parcel attribution, int audioSession) {
    setUp(self);
  }

  private void setUp(Object self) {
    setContext(1);
    player =
        new NativePlayer(
            (message, first, second) ->
                ReflectionHelpers.callStaticMethod(
                    MediaPlayer.class,
                    "postEventFromNative",
                    ClassParameter.from(Object.class, self),
                    ClassParameter.from(int.class, message),
                    ClassParameter.from(int.class, first),
                    ClassParameter.from(int.class, second),
                    ClassParameter.from(Object.class, null)));
  }

  /** The framework drops messages of a player whose native half is gone. */
  private void setContext(long context) {
    ReflectionHelpers.setField(MediaPlayer.class, real, "mNativeContext", context);
  }

  private NativePlayer open() {
    if (player == null) {
      throw new IllegalStateException();
    }
    return player;
  }

  /** Tells a status that no exception carries: the player fails. */
  private void tell(int status) {
    if (status != NativePlayer.OK) {
      open().fail(status, 0);
    }
  }

  private static void check(int status, String message) throws IOException {
    if (status == NativePlayer.INVALID_OPERATION) {
      throw new IllegalStateException();
    }
    if (status != NativePlayer.OK) {
      throw new IOException(message + ": status=0x" + Integer.toHexString(status).toUpperCase());
    }
  }

  @Implementation
  protected void nativeSetDataSource(
      IBinder service, String address, String[] names, String[] values) throws IOException {
    NativePlayer opened = open();
    if (address == null) {
      throw new IllegalArgumentException();
    }
    if (address.startsWith("content:")) {
      check(NativePlayer.UNKNOWN_ERROR, "setDataSource failed.");
    }
    check(opened.setSource(MediaBytes.none()), "setDataSource failed.");
  }

  @Implementation
  protected void _setDataSource(FileDescriptor file, long offset, long length) throws IOException {
    NativePlayer opened = open();
    if (file == null || !file.valid()) {
      throw new IllegalArgumentException();
    }
    check(opened.setSource(MediaBytes.of(file, offset, length)), "setDataSourceFD failed.");
  }

  @Implementation
  protected void _setDataSource(MediaDataSource source) throws IOException {
    NativePlayer opened = open();
    if (source == null) {
      throw new IllegalArgumentException();
    }
    check(opened.setSource(MediaBytes.of(source)), "setDataSourceCallback failed.");
  }

  @Implementation
  protected void _setVideoSurface(Surface surface) {
    open();
  }

  @Implementation
  protected void _prepare() throws IOException {
    check(open().prepare(), "Prepare failed.");
  }

  @Implementation
  protected int _prepare(Parcel piid) throws IOException {
    _prepare();
    return NativePlayer.OK;
  }

  @Implementation(maxSdk = 33)
  protected void prepareAsync() throws IOException {
    prepareLater();
  }

  @Implementation
  protected int _prepareAsync(Parcel piid) throws IOException {
    prepareLater();
    return NativePlayer.OK;
  }

  private void prepareLater() throws IOException {
    check(open().prepareLater(), "Prepare Async failed.");
  }

  @Implementation
  protected void _start() {
    tell(open().start());
  }

  @Implementation
  protected void _stop() {
    tell(open().stop());
  }

  @Implementation
  protected void _pause() {
    tell(open().pause());
  }

  @Implementation
  protected boolean isPlaying() {
    return open().isPlaying();
  }

  @Implementation(maxSdk = 25)
  protected void seekTo(int millis) {
    tell(open().seek(millis));
  }

  @Implementation
  protected void _seekTo(long millis, int mode) {
    tell(open().seek(millis));
  }

  @Implementation
  protected int getCurrentPosition() {
    NativePlayer opened = open();
    tell(opened.hasSource() ? NativePlayer.OK : NativePlayer.INVALID_OPERATION);
    return opened.position();
  }

  @Implementation
  protected int getDuration() {
    NativePlayer opened = open();
    if (!opened.knowsLength()) {
      tell(NativePlayer.INVALID_OPERATION);
      return 0;
    }
    return opened.media().millis();
  }

  @Implementation
  protected int getVideoWidth() {
    MediaDescription media = open().media();
    return media == null ? 0 : media.width();
  }

  @Implementation
  protected int getVideoHeight() {
    MediaDescription media = open().media();
    return media == null ? 0 : media.height();
  }

  @Implementation
  protected void setNextMediaPlayer(MediaPlayer next) {
    NativePlayer opened = open();
    MediaPlayerShadow following = next == null ? null : Shadow.extract(next);
    if (following != null && following.player == null) {
      throw new IllegalStateException("The target player is not valid");
    }
    int status = opened.setNext(following == null ? null : following.player);
    if (status != NativePlayer.OK) {
      throw new IllegalStateException();
    }
  }

  @Implementation
  protected void _reset() {
    tell(open().reset());
  }

  @Implementation
  protected void _release() {
    if (player != null) {
      player.reset();
      player = null;
      setContext(0);
    }
  }

  @Implementation
  protected void _setAudioStreamType(int type) {
    boolean isLate = type != stream && open().hasPlayed();
    tell(isLate ? NativePlayer.INVALID_OPERATION : NativePlayer.OK);
    if (!isLate) {
      stream = type;
    }
  }

  @Implementation
  protected int _getAudioStreamType() {
    open();
    return stream;
  }

  @Implementation
  protected boolean setParameter(int key, Parcel value) {
    open();
    return true;
  }

  @Implementation
  protected void setLooping(boolean looping) {
    open().setLooping(looping);
  }

  @Implementation
  protected boolean isLooping() {
    return open().isLooping();
  }

  @Implementation
  protected void _setVolume(float left, float right) {
    open();
  }

  @Implementation(maxSdk = 30)
  protected void setAudioSessionId(int id) {
    setSession(id);
  }

  @Implementation
  protected void native_setAudioSessionId(int id) {
    setSession(id);
  }

  private void setSession(int id) {
    boolean isLate = !open().isIdle();
    tell(isLate ? NativePlayer.INVALID_OPERATION : id < 0 ? NativePlayer.BAD_VALUE : 0);
    session = isLate || id < 0 ? session : id;
  }

  @Implementation
  protected int getAudioSessionId() {
    open();
    return session;
  }

  @Implementation
  protected void setPlaybackParams(PlaybackParams wanted) {
    int status = open().setSpeed(wanted.getSpeed());
    if (status == NativePlayer.BAD_VALUE) {
      throw new IllegalArgumentException();
    }
    if (status != NativePlayer.OK) {
      throw new IllegalStateException();
    }
    parameters = wanted;
  }

  @Implementation
  protected PlaybackParams getPlaybackParams() {
    open();
    return parameters;
  }

  @Implementation
  protected void setSyncParams(SyncParams wanted) {
    open();
    synchronization = wanted;
  }

  @Implementation
  protected SyncParams getSyncParams() {
    open();
    return synchronization;
  }

  @Implementation
  protected int native_invoke(Parcel request, Parcel reply) {
    NativePlayer opened = open();
    if (!opened.hasPlayed()) {
      return NativePlayer.INVALID_OPERATION;
    }
    request.setDataPosition(0);
    request.enforceInterface("android.media.IMediaPlayer");
    if (request.readInt() == TRACKS_REQUEST) {
      writeTracks(opened.media(), reply);
    }
    return NativePlayer.OK;
  }

  private static void writeTracks(MediaDescription media, Parcel reply) {
    int start = reply.dataPosition();
    reply.writeInt(media.isVideo() ? 2 : 1);
    if (media.isVideo()) {
      writeTrack(reply, MediaPlayer.TrackInfo.MEDIA_TRACK_TYPE_VIDEO);
    }
    writeTrack(reply, MediaPlayer.TrackInfo.MEDIA_TRACK_TYPE_AUDIO);
    reply.setDataPosition(start);
  }

  private static void writeTrack(Parcel reply, int type) {
    int present = 2;
    reply.writeInt(present);
    reply.writeInt(type);
    reply.writeString("application/octet-stream");
    reply.writeString("und");
  }

  @Implementation
  protected boolean native_getMetadata(boolean onlyChanges, boolean bypassFilter, Parcel reply) {
    open();
    return false;
  }

  @Implementation
  protected int native_setMetadataFilter(Parcel request) {
    open();
    return NativePlayer.OK;
  }

  @Implementation
  protected void attachAuxEffect(int effect) {
    open();
  }

  @Implementation
  protected void _setAuxEffectSendLevel(float level) {
    open();
  }

  @Implementation
  protected void native_finalize() {}
}
