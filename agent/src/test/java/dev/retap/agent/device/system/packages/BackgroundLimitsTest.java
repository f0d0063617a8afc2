// Broadcasts that a manifest no longer receives.
package dev.retap.agent.device.system.packages;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import android.content.Intent;
import org.junit.Test;

public class BackgroundLimitsTest {
  private static final String NETWORK = "android.net.conn.CONNECTIVITY_CHANGE";

  @Test
  public void implicitBroadcastsAreHiddenFromAndroid8On() {
    Intent intent = new Intent("org.example.SOMETHING");
    assertTrue(BackgroundLimits.hides(intent, 26, 26));
    assertFalse(BackgroundLimits.hides(intent, 25, 30));
    assertFalse(BackgroundLimits.hides(intent, 30, 25));
  }

  @Test
  public void explicitBroadcastsAreNeverHidden() {
    Intent toPackage = new Intent("org.example.SOMETHING").setPackage("org.example");
    Intent toClass = new Intent().setClassName("org.example", "org.example.Receiver");
    assertFalse(BackgroundLimits.hides(toPackage, 30, 30));
    assertFalse(BackgroundLimits.hides(toClass, 30, 30));
  }

  @Test
  public void listedBroadcastsAreExempt() {
    assertFalse(BackgroundLimits.hides(new Intent(Intent.ACTION_BOOT_COMPLETED), 30, 30));
  }

  @Test
  public void changesOfTheNetworkAreHiddenFromAndroid7On() {
    assertTrue(BackgroundLimits.hides(new Intent(NETWORK), 24, 24));
    assertFalse(BackgroundLimits.hides(new Intent(NETWORK), 23, 24));
  }
}
