// Runs test classes under Robolectric's own runner and prints how each test ends.

import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;
import org.robolectric.RobolectricTestRunner;

public final class RobolectricTests {
  public static void main(String[] classes) throws Exception {
    JUnitCore core = new JUnitCore();
    core.addListener(
        new RunListener() {
          private String end;

          @Override
          public void testStarted(Description test) {
            end = "PASS";
          }

          @Override
          public void testFailure(Failure failure) {
            end = "FAIL";
            String reason = String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
            System.out.println("WHY " + name(failure.getDescription()) + " " + reason);
          }

          @Override
          public void testAssumptionFailure(Failure failure) {
            end = "SKIP";
          }

          @Override
          public void testIgnored(Description test) {
            System.out.println("END " + name(test) + " IGNORED");
          }

          @Override
          public void testFinished(Description test) {
            System.out.println("END " + name(test) + " " + end);
          }
        });
    for (String name : classes) {
      core.run(Request.runner(new RobolectricTestRunner(Class.forName(name))));
    }
    System.exit(0);
  }

  private static String name(Description test) {
    return test.getClassName() + "#" + test.getMethodName();
  }
}
