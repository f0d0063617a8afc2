// The rules of which package may know which. A class that breaks a rule is changed, not the rule.
package dev.retap.agent;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.Test;

public class ArchitectureTest {
  private static final String AGENT = "dev.retap.agent";
  private static final String DEVICE = AGENT + ".device";

  private static final JavaClasses AGENT_CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(AGENT);

  /** The packages of the device that each package of it may know, besides itself. */
  private static final Map<String, List<String>> DEVICE_PACKAGES = new TreeMap<>();

  static {
    mayKnow("reflect");
    mayKnow("outcome");
    mayKnow("binder", "reflect");
    mayKnow("web", "reflect");
    mayKnow("robolectric", "reflect");
    mayKnow("clock", "outcome", "reflect");
    mayKnow("display", "reflect", "robolectric");
    mayKnow("app", "outcome", "reflect", "robolectric");
    mayKnow("process", "app", "binder", "reflect");
    mayKnow("screen", "display", "outcome", "reflect");
    mayKnow("input", "binder", "clock", "reflect", "screen");
    mayKnow("instrument.shell", "clock", "input", "reflect", "screen");
    mayKnow(
        "instrument",
        "binder",
        "clock",
        "input",
        "instrument.shell",
        "outcome",
        "reflect",
        "screen");
    mayKnow("system.camera", "binder", "reflect");
    mayKnow("system.hardware", "binder", "reflect");
    mayKnow("system.keys");
    mayKnow("system.packages", "binder", "reflect");
    mayKnow("system.activity", "binder", "display", "process", "reflect", "system.packages");
    mayKnow(
        "system.service",
        "binder",
        "display",
        "process",
        "reflect",
        "system.activity",
        "system.hardware",
        "system.packages");
    mayKnow(
        "system.services",
        "binder",
        "process",
        "reflect",
        "system.activity",
        "system.packages",
        "system.service");
    mayKnow(
        "system.jobs", "binder", "reflect", "system.packages", "system.service", "system.services");
    mayKnow("outside", "binder", "reflect", "screen", "system.activity", "system.packages");
  }

  private static void mayKnow(String name, String... known) {
    DEVICE_PACKAGES.put(name, List.of(known));
  }

  @Test
  public void everyPackageOfTheDeviceKnowsOnlyWhatItMay() {
    DEVICE_PACKAGES.forEach(
        (name, known) -> {
          List<String> allowed = new ArrayList<>(List.of(DEVICE + "." + name));
          known.forEach(other -> allowed.add(DEVICE + "." + other));
          noClasses()
              .that()
              .resideInAPackage(DEVICE + "." + name)
              .should()
              .dependOnClassesThat(ofAgentExcept(DEVICE + "..", allowed))
              .check(AGENT_CLASSES);
        });
  }

  @Test
  public void everyPackageOfTheDeviceHasARule() {
    TreeSet<String> unruled = new TreeSet<>();
    AGENT_CLASSES.stream()
        .map(type -> type.getPackageName())
        .filter(name -> name.startsWith(DEVICE + "."))
        .map(name -> name.substring(DEVICE.length() + 1))
        .filter(name -> !DEVICE_PACKAGES.containsKey(name))
        .forEach(unruled::add);
    org.junit.Assert.assertEquals(new TreeSet<>(), unruled);
  }

  @Test
  public void packagesHaveNoCycles() {
    slices().matching(AGENT + ".(**)").should().beFreeOfCycles().check(AGENT_CLASSES);
  }

  /** The sandbox has its own copy of these classes, so the host may only load them by name. */
  @Test
  public void nothingOutsideTheDeviceDependsOnIt() {
    noClasses()
        .that()
        .resideOutsideOfPackage(DEVICE + "..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(DEVICE + "..")
        .check(AGENT_CLASSES);
  }

  /** The device runs inside the sandbox; the set-up of the sandbox is the host's. */
  @Test
  public void theDeviceKnowsNothingOfTheHost() {
    noClasses()
        .that()
        .resideInAPackage(DEVICE + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(AGENT + ".host..", AGENT + ".prepare..")
        .allowEmptyShould(true)
        .check(AGENT_CLASSES);
  }

  @Test
  public void theWorldKnowsNothingOfTheRestAndNoAndroid() {
    noClasses()
        .that()
        .resideInAPackage(AGENT + ".world..")
        .should()
        .dependOnClassesThat(ofAgentExcept(AGENT + "..", List.of(AGENT + ".world..")))
        .orShould()
        .dependOnClassesThat()
        .resideInAnyPackage("android..", "com.android..", "dalvik..", "org.robolectric..")
        .check(AGENT_CLASSES);
  }

  @Test
  public void theProtocolKnowsOnlyTheJdk() {
    classes()
        .that()
        .resideInAPackage(AGENT + ".wire")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(AGENT + ".wire", "java..")
        .check(AGENT_CLASSES);
  }

  @Test
  public void coverageKnowsNoAndroid() {
    noClasses()
        .that()
        .resideInAPackage(AGENT + ".coverage")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("android..", "com.android..", "dalvik..", "org.robolectric..")
        .check(AGENT_CLASSES);
  }

  /** These change with every release of Robolectric; its shadows are a public interface. */
  @Test
  public void onlyOnePackageOfTheDeviceKnowsTheInternalsOfRobolectric() {
    noClasses()
        .that()
        .resideInAPackage(DEVICE + "..")
        .and()
        .resideOutsideOfPackage(DEVICE + ".robolectric")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.robolectric.android..",
            "org.robolectric.annotation..",
            "org.robolectric.internal..",
            "org.robolectric.manifest..",
            "org.robolectric.nativeruntime..",
            "org.robolectric.pluginapi..",
            "org.robolectric.res..",
            "org.robolectric.util..")
        .check(AGENT_CLASSES);
  }

  @Test
  public void theActivityTaskServerKnowsNoRobolectric() {
    noClasses()
        .that()
        .resideInAnyPackage(DEVICE + ".system.activity", DEVICE + ".reflect")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.robolectric..")
        .check(AGENT_CLASSES);
  }

  private static DescribedPredicate<com.tngtech.archunit.core.domain.JavaClass> ofAgentExcept(
      String packages, List<String> allowed) {
    return resideInAPackage(packages)
        .and(DescribedPredicate.not(resideInAnyPackage(allowed.toArray(new String[0]))));
  }
}
