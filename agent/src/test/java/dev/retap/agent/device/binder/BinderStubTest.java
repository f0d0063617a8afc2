// A stub plays a system service: handlers answer, all else gives default values.
package dev.retap.agent.device.binder;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;

import android.content.pm.ParceledListSlice;
import android.os.Bundle;
import android.os.IBinder;
import android.os.IInterface;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.annotation.Config;

@RunWith(RobolectricTestRunner.class)
@Config(sdk = 30)
public class BinderStubTest {
  interface Service extends IInterface {
    int count(String name);

    List<String> names();

    String name(int number);

    boolean isThere();

    int[] numbers();

    Bundle details();

    ParceledListSlice<?> slice();
  }

  private final BinderStub stub = new BinderStub();
  private final Service service = (Service) stub.as(Service.class);

  @Test
  public void aHandlerAnswersItsCalls() {
    stub.on("count", call -> call.first(String.class).length());
    assertEquals(3, service.count("abc"));
  }

  @Test
  public void callsWithoutAHandlerGiveDefaultValues() {
    assertEquals(0, service.count("abc"));
    assertEquals(List.of(), service.names());
    assertNull(service.name(1));
    assertEquals(false, service.isThere());
    assertEquals(0, service.numbers().length);
    assertEquals(true, service.details().isEmpty());
    assertEquals(List.of(), service.slice().getList());
  }

  @Test
  public void theNullOfAHandlerIsMeant() {
    stub.on("details", call -> null);
    assertNull(service.details());
  }

  @Test
  public void theBinderFindsTheStubAsALocalInterface() {
    IBinder binder = service.asBinder();
    assertSame(service, binder.queryLocalInterface(Service.class.getName()));
  }

  @Test
  public void aProxyEqualsOnlyItself() {
    assertEquals(service, service);
    assertEquals(false, service.equals(new BinderStub().as(Service.class)));
  }
}
