package dev.lacuna.app;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The arrows between the rooms, as docs/architecture.md draws them. */
@AnalyzeClasses(packages = "dev.lacuna", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule dependencies_run_one_way = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("app")
            .definedBy("dev.lacuna.app..")
            .layer("fx-ui")
            .definedBy("dev.lacuna.ui..")
            .layer("device-bridge")
            .definedBy("dev.lacuna.bridge..")
            .layer("allocator-core")
            .definedBy("dev.lacuna.core..")
            .whereLayer("app")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("fx-ui")
            .mayOnlyBeAccessedByLayers("app")
            .whereLayer("device-bridge")
            .mayOnlyBeAccessedByLayers("fx-ui", "app");

    @ArchTest
    static final ArchRule the_core_knows_no_window_no_native_code_no_sockets_no_processes = noClasses()
            .that()
            .resideInAPackage("dev.lacuna.core..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("javafx..", "com.sun.jna..", "java.net..", "org.controlsfx..", "java.awt..")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.lang.ProcessBuilder")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.lang.ProcessHandle");

    @ArchTest
    static final ArchRule the_bridge_knows_no_window = noClasses()
            .that()
            .resideInAPackage("dev.lacuna.bridge..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("javafx..", "org.controlsfx..", "java.awt..");

    @ArchTest
    static final ArchRule the_window_knows_no_native_code_and_no_sockets = noClasses()
            .that()
            .resideInAPackage("dev.lacuna.ui..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("com.sun.jna..", "java.nio.channels..", "java.awt..")
            .orShould()
            .dependOnClassesThat()
            .haveNameMatching("java\\.net\\..*(Socket|Connection|HttpClient).*");

    @ArchTest
    static final ArchRule the_window_knows_only_the_face_of_the_bridge = noClasses()
            .that()
            .resideInAPackage("dev.lacuna.ui..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.lacuna.bridge.*..");

    /** What names OR-Tools can be loaded only where it is installed. */
    @ArchTest
    static final ArchRule only_its_models_know_the_optional_solver = noClasses()
            .that()
            .resideOutsideOfPackage("dev.lacuna.app.ortools.cpsat..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("com.google.ortools..", "dev.lacuna.app.ortools.cpsat..");

    /** Each package on its own, at whatever depth: two leaves of one family are no exception. */
    @ArchTest
    static final ArchRule packages_are_free_of_cycles = freeOfCycles("dev.lacuna.(**)");

    static ArchRule freeOfCycles(String packages) {
        return slices().matching(packages).should().beFreeOfCycles();
    }
}
