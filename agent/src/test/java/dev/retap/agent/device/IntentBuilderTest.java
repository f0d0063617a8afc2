// Intents are built from the protocol's description, extras by their type.
package dev.retap.agent.device;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import android.content.Intent;
import android.os.Parcel;
import dev.retap.agent.wire.Event.IntentSpec;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.annotation.Config;

@RunWith(RobolectricTestRunner.class)
@Config(sdk = 30)
public class IntentBuilderTest {
  @Test
  public void everyPartIsTaken() {
    Intent intent =
        IntentBuilder.of(
            new IntentSpec(
                "view",
                "note:1",
                "text/plain",
                List.of("c1", "c2"),
                "org.example/.Main",
                List.of()));
    assertEquals("view", intent.getAction());
    assertEquals("note:1", intent.getDataString());
    assertEquals("text/plain", intent.getType());
    assertTrue(intent.hasCategory("c1") && intent.hasCategory("c2"));
    assertEquals("org.example.Main", intent.getComponent().getClassName());
  }

  @Test
  public void emptyPartsAreLeftOut() {
    Intent intent = extras();
    assertNull(intent.getAction());
    assertNull(intent.getData());
    assertNull(intent.getType());
    assertNull(intent.getComponent());
    assertNull(intent.getExtras());
  }

  @Test
  public void extrasHaveTheTypeOfTheirLetter() {
    Intent intent = extras("s=stext", "i=i-3", "l=l9000000000", "b=btrue", "f=f0.5", "empty=s");
    assertEquals("text", intent.getStringExtra("s"));
    assertEquals(-3, intent.getIntExtra("i", 0));
    assertEquals(9_000_000_000L, intent.getLongExtra("l", 0));
    assertTrue(intent.getBooleanExtra("b", false));
    assertEquals(0.5f, intent.getFloatExtra("f", 0), 0);
    assertEquals("", intent.getStringExtra("empty"));
  }

  @Test
  public void aValueMayContainAnEqualsSign() {
    assertEquals("a=b", extras("s=sa=b").getStringExtra("s"));
  }

  @Test
  public void extrasThatCannotBeReadAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> extras("nothing"));
    assertThrows(IllegalArgumentException.class, () -> extras("key="));
    assertThrows(IllegalArgumentException.class, () -> extras("key=xvalue"));
    assertThrows(NumberFormatException.class, () -> extras("key=ione"));
  }

  @Test
  public void anIntentSurvivesAParcel() {
    Intent intent = extras("s=stext", "i=i7").setAction("view").addFlags(3).addCategory("c");
    Parcel parcel = Parcel.obtain();
    intent.writeToParcel(parcel, 0);
    parcel.setDataPosition(0);
    Intent read = Intent.CREATOR.createFromParcel(parcel);
    parcel.recycle();
    assertTrue(read.filterEquals(intent));
    assertEquals(3, read.getFlags());
    assertEquals("text", read.getStringExtra("s"));
    assertEquals(7, read.getIntExtra("i", 0));
  }

  private static Intent extras(String... extras) {
    return IntentBuilder.of(new IntentSpec("", "", "", List.of(), "", List.of(extras)));
  }
}
