package dev.lacuna.bridge;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.lacuna.bridge", importOptions = ImportOption.DoNotIncludeTests.class)
class BridgeArchitectureTest {
    @ArchTest
    static final ArchRule what_the_rest_of_the_program_sees_knows_nothing_of_how_it_is_done = classes()
            .that()
            .resideInAPackage("dev.lacuna.bridge")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..", "dev.lacuna.core.base..", "dev.lacuna.core.planning.swap.layer..", "dev.lacuna.bridge");

    @ArchTest
    static final ArchRule jna_is_known_where_native_code_is_called_and_nowhere_else = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "dev.lacuna.bridge.hosted..",
                    "dev.lacuna.bridge.device..",
                    "dev.lacuna.bridge.kernel..",
                    "dev.lacuna.bridge.graft..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("com.sun.jna..");

    @ArchTest
    static final ArchRule the_wire_asks_neither_the_kernel_nor_a_socket = noClasses()
            .that()
            .resideInAPackage("dev.lacuna.bridge.wire..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.lacuna.bridge.process..",
                    "dev.lacuna.bridge.control..",
                    "dev.lacuna.bridge.rendezvous..",
                    "java.net..");

    @ArchTest
    static final ArchRule the_bridge_does_not_know_what_a_screen_looks_like = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("javafx..", "dev.lacuna.ui..", "dev.lacuna.app..");
}
