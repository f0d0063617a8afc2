// The agent's entry. `--drive` runs an app by hand with random events; see docs/agent.md.
package dev.retap.agent;

public final class Main {
  private Main() {}

  public static void main(String[] arguments) throws Exception {
    try {
      Drive.run(arguments);
    } catch (Throwable e) {
      e.printStackTrace();
      System.exit(4);
    }
  }
}
