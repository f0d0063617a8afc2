// The card in the phone, and the network it belongs to.
package dev.retap.agent.device.system.hardware;

public final class StockSim {
  public static final String OPERATOR = "310260";
  public static final String OPERATOR_NAME = "Android";
  public static final String COUNTRY = "us";

  private StockSim() {}
}
