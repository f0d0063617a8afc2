// The phone's card, one for all contexts. From Android 10 on, apps do not get to see the numbers
// that identify the phone.
package dev.retap.agent.shadow.network;

import android.telephony.SignalStrength;
import android.telephony.TelephonyManager;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowTelephonyManager;
import org.robolectric.util.ReflectionHelpers;

@Implements(TelephonyManager.class)
public class TelephonyManagerShadow extends ShadowTelephonyManager {
  public static final String OPERATOR = "310260";
  public static final String OPERATOR_NAME = "Android";
  public static final String COUNTRY = "us";
  private static final int FIRST_WITH_CLOSED_CALLS = 31;

  @Override
  @Implementation
  protected String getNetworkOperatorName() {
    return OPERATOR_NAME;
  }

  @Override
  @Implementation
  protected String getNetworkCountryIso() {
    return COUNTRY;
  }

  @Override
  @Implementation
  protected String getNetworkOperator() {
    return OPERATOR;
  }

  @Override
  @Implementation
  protected String getSimOperator() {
    return OPERATOR;
  }

  @Override
  @Implementation
  protected String getSimOperatorName() {
    return OPERATOR_NAME;
  }

  @Override
  @Implementation
  protected String getSimCountryIso() {
    return COUNTRY;
  }

  /** The strength of a phone without a signal. */
  @Override
  @Implementation(minSdk = 28)
  protected SignalStrength getSignalStrength() {
    return new SignalStrength();
  }

  /** Refuses an app for API 31 or newer that may not read the phone's state. */
  @Override
  @Implementation
  protected int getCallState() {
    int target = RuntimeEnvironment.getApplication().getApplicationInfo().targetSdkVersion;
    return Math.min(target, RuntimeEnvironment.getApiLevel()) < FIRST_WITH_CLOSED_CALLS
        ? ReflectionHelpers.getField(this, "callState")
        : super.getCallState();
  }

  @Override
  @Implementation
  protected String getDeviceId() {
    super.getDeviceId();
    return number("358240051111110");
  }

  @Override
  @Implementation
  protected String getSubscriberId() {
    super.getSubscriberId();
    return number("310260000000000");
  }

  @Override
  @Implementation
  protected String getSimSerialNumber() {
    super.getSimSerialNumber();
    return number("89014103211118510720");
  }

  private static String number(String known) {
    return RuntimeEnvironment.getApiLevel() < 29 ? known : null;
  }
}
