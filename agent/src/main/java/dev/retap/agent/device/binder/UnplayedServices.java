// The system services that nobody plays here. Each has a binder that answers as a service with
// nothing to tell, so that its manager exists and lists nothing.
package dev.retap.agent.device.binder;

import android.os.IInterface;
import dev.retap.agent.device.reflect.FrameworkFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.robolectric.shadows.ShadowServiceManager;

public final class UnplayedServices {
  private static final String DIALER = "com.android.dialer";

  /** Services that the host does not know, with their interfaces; not all levels have each. */
  private static final Map<String, String> UNKNOWN_TO_THE_HOST = new TreeMap<>();

  static {
    UNKNOWN_TO_THE_HOST.put("autofill", "android.view.autofill.IAutoFillManager");
    UNKNOWN_TO_THE_HOST.put("backup", "android.app.backup.IBackupManager");
    UNKNOWN_TO_THE_HOST.put("blob_store", "android.app.blob.IBlobStoreManager");
    UNKNOWN_TO_THE_HOST.put(
        "carrier_config", "com.android.internal.telephony.ICarrierConfigLoader");
    UNKNOWN_TO_THE_HOST.put("consumer_ir", "android.hardware.IConsumerIrService");
    UNKNOWN_TO_THE_HOST.put("content", "android.content.IContentService");
    UNKNOWN_TO_THE_HOST.put("device_identifiers", "android.os.IDeviceIdentifiersPolicyService");
    UNKNOWN_TO_THE_HOST.put("deviceidle", "android.os.IDeviceIdleController");
    UNKNOWN_TO_THE_HOST.put(
        "domain_verification", "android.content.pm.verify.domain.IDomainVerificationManager");
    UNKNOWN_TO_THE_HOST.put("dreams", "android.service.dreams.IDreamManager");
    UNKNOWN_TO_THE_HOST.put("econtroller", "com.android.internal.telephony.euicc.IEuiccController");
    UNKNOWN_TO_THE_HOST.put("game", "android.app.IGameManagerService");
    UNKNOWN_TO_THE_HOST.put("hardware_properties", "android.os.IHardwarePropertiesManager");
    UNKNOWN_TO_THE_HOST.put("imms", "com.android.internal.telephony.IMms");
    UNKNOWN_TO_THE_HOST.put("iphonesubinfo", "com.android.internal.telephony.IPhoneSubInfo");
    UNKNOWN_TO_THE_HOST.put("isms", "com.android.internal.telephony.ISms");
    UNKNOWN_TO_THE_HOST.put("isub", "com.android.internal.telephony.ISub");
    UNKNOWN_TO_THE_HOST.put("lock_settings", "com.android.internal.widget.ILockSettings");
    UNKNOWN_TO_THE_HOST.put("media_communication", "android.media.IMediaCommunicationService");
    UNKNOWN_TO_THE_HOST.put("media_metrics", "android.media.metrics.IMediaMetricsManager");
    UNKNOWN_TO_THE_HOST.put("media_projection", "android.media.projection.IMediaProjectionManager");
    UNKNOWN_TO_THE_HOST.put("midi", "android.media.midi.IMidiManager");
    UNKNOWN_TO_THE_HOST.put("netstats", "android.net.INetworkStatsService");
    UNKNOWN_TO_THE_HOST.put("network_management", "android.os.INetworkManagementService");
    UNKNOWN_TO_THE_HOST.put("overlay", "android.content.om.IOverlayManager");
    UNKNOWN_TO_THE_HOST.put("people", "android.app.people.IPeopleManager");
    UNKNOWN_TO_THE_HOST.put("print", "android.print.IPrintManager");
    UNKNOWN_TO_THE_HOST.put("procstats", "com.android.internal.app.procstats.IProcessStats");
    UNKNOWN_TO_THE_HOST.put("restrictions", "android.content.IRestrictionsManager");
    UNKNOWN_TO_THE_HOST.put("system_update", "android.os.ISystemUpdateManager");
    UNKNOWN_TO_THE_HOST.put(
        "telephony.registry", "com.android.internal.telephony.ITelephonyRegistry");
    UNKNOWN_TO_THE_HOST.put(
        "textservices", "com.android.internal.textservice.ITextServicesManager");
    UNKNOWN_TO_THE_HOST.put("webviewupdate", "android.webkit.IWebViewUpdateService");
  }

  private UnplayedServices() {}

  /** Publishes a stub for each of them; services that play their part replace theirs. */
  public static void publishAll() {
    UNKNOWN_TO_THE_HOST.forEach(
        (service, type) -> {
          if (exists(type)) {
            new BinderStub().publish(service, type);
          }
        });
    Map<?, ?> known =
        (Map<?, ?>) FrameworkFields.getStatic(ShadowServiceManager.class, "binderServices");
    List<Object> names = new ArrayList<>(known.keySet());
    for (Object name : names) {
      Object service = known.get(name);
      if (FrameworkFields.get(service, "binderType").toString().equals("NULL_PROXY")) {
        Class<?> type = (Class<?>) FrameworkFields.get(service, "clazz");
        new BinderStub().publish((String) name, type.getName());
      }
    }
    new BinderStub()
        .on("getDefaultDialerPackage", call -> DIALER)
        .on("getDefaultDialerPackageForUser", call -> DIALER)
        .on("getSystemDialerPackage", call -> DIALER)
        .publish("telecom", "com.android.internal.telecom.ITelecomService");
    // Its manager talks to a connector that the service hands out.
    new BinderStub()
        .on("connect", call -> connector(call.method().getReturnType()))
        .publish("servicediscovery", "android.net.nsd.INsdManager");
  }

  private static Object connector(Class<?> type) {
    return IInterface.class.isAssignableFrom(type) ? new BinderStub().as(type) : null;
  }

  private static boolean exists(String type) {
    try {
      return IInterface.class.isAssignableFrom(Class.forName(type));
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
