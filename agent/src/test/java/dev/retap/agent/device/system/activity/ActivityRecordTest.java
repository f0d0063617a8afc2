// Saved state outlives the process only in its written form.
package dev.retap.agent.device.system.activity;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertNull;

import android.content.ComponentName;
import android.content.Intent;
import android.graphics.Rect;
import android.net.Uri;
import android.os.Bundle;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.annotation.Config;

@RunWith(RobolectricTestRunner.class)
@Config(sdk = 30)
public class ActivityRecordTest {
  private final ActivityRecord record =
      new ActivityRecord(new Intent("show"), StackFixture.declare("A"), null, null, -1);

  @Test
  public void savedStateOfEveryCommonTypeIsWrittenAndReadBack() {
    Bundle state = new Bundle();
    state.putInt("int", -7);
    state.putLong("long", Long.MIN_VALUE);
    state.putDouble("double", 0.5);
    state.putBoolean("boolean", true);
    state.putString("string", "Grüße \ud83d\ude00");
    state.putCharSequence("text", "text");
    state.putByteArray("bytes", new byte[] {1, 0, -1});
    state.putIntArray("ints", new int[] {3, 2, 1});
    state.putStringArrayList("strings", new ArrayList<>(List.of("a", "b")));
    state.putParcelable("uri", Uri.parse("content://contacts/people/1"));
    state.putParcelable("rect", new Rect(1, 2, 3, 4));
    state.putParcelable("component", new ComponentName("org.example", "Main"));
    state.putSerializable("serializable", new ArrayList<>(List.of(1, 2)));
    state.putBundle("bundle", new Bundle());
    record.savedState = state;
    record.detachState();
    Bundle read = record.savedState;
    assertNotSame(state, read);
    assertEquals(-7, read.getInt("int"));
    assertEquals(Long.MIN_VALUE, read.getLong("long"));
    assertEquals(0.5, read.getDouble("double"), 0);
    assertEquals(true, read.getBoolean("boolean"));
    assertEquals("Grüße \ud83d\ude00", read.getString("string"));
    assertEquals("text", read.getCharSequence("text").toString());
    assertArrayEquals(new byte[] {1, 0, -1}, read.getByteArray("bytes"));
    assertArrayEquals(new int[] {3, 2, 1}, read.getIntArray("ints"));
    assertEquals(List.of("a", "b"), read.getStringArrayList("strings"));
    assertEquals(Uri.parse("content://contacts/people/1"), read.getParcelable("uri"));
    assertEquals(new Rect(1, 2, 3, 4), read.getParcelable("rect"));
    assertEquals(new ComponentName("org.example", "Main"), read.getParcelable("component"));
    assertEquals(List.of(1, 2), read.getSerializable("serializable"));
    assertEquals(0, read.getBundle("bundle").size());
  }

  @Test
  public void nothingSavedStaysNothing() {
    record.detachState();
    assertNull(record.savedState);
    assertNull(record.intent.getExtras());
  }

  @Test
  public void extrasOfTheIntentAreDetachedToo() {
    Rect rect = new Rect(1, 2, 3, 4);
    record.intent.putExtra("rect", rect);
    record.detachState();
    Rect read = record.intent.getParcelableExtra("rect");
    assertEquals(rect, read);
    assertNotSame(rect, read);
  }

  @Test
  public void pendingResultsAreTakenOnce() {
    record.pendingResults.add("result");
    assertEquals(List.of("result"), record.takePendingResults());
    assertEquals(List.of(), record.takePendingResults());
  }
}
