package dev.lacuna.core;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The core computes: files and streams are its only outside world, and its families know each other in one direction. */
@AnalyzeClasses(packages = "dev.lacuna", importOptions = ImportOption.DoNotIncludeTests.class)
class CoreArchitectureTest {
    private static final String CORE = "dev.lacuna.core..";

    @ArchTest
    static final ArchRule knows_no_user_interface_and_no_native_code = noClasses()
            .that()
            .resideInAPackage(CORE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("javafx..", "java.awt..", "javax.swing..", "com.sun.jna..", "picocli..");

    @ArchTest
    static final ArchRule knows_no_other_room = noClasses()
            .that()
            .resideInAPackage(CORE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.lacuna.bridge..", "dev.lacuna.ui..", "dev.lacuna.app..");

    @ArchTest
    static final ArchRule opens_no_sockets = noClasses()
            .that()
            .resideInAPackage(CORE)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("java.net..")
            .orShould()
            .dependOnClassesThat()
            .haveNameMatching("java\\.nio\\.channels\\..*Socket.*");

    @ArchTest
    static final ArchRule starts_no_processes = noClasses()
            .that()
            .resideInAPackage(CORE)
            .should()
            .dependOnClassesThat()
            .haveNameMatching("java\\.lang\\.(Process|ProcessBuilder|ProcessHandle|Runtime)(\\$.*)?");

    /** The order of docs/architecture.md. */
    @ArchTest
    static final ArchRule families_stand_on_one_another = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("base")
            .definedBy("dev.lacuna.core.base..")
            .layer("allocator")
            .definedBy("dev.lacuna.core.allocator..")
            .layer("trace")
            .definedBy("dev.lacuna.core.trace..")
            .layer("config")
            .definedBy("dev.lacuna.core.config..")
            .layer("replay")
            .definedBy("dev.lacuna.core.replay..")
            .layer("history")
            .definedBy("dev.lacuna.core.history..")
            .layer("diagnosis")
            .definedBy("dev.lacuna.core.diagnosis..")
            .layer("estimate")
            .definedBy("dev.lacuna.core.estimate..")
            .layer("planning")
            .definedBy("dev.lacuna.core.planning..")
            .whereLayer("base")
            .mayNotAccessAnyLayer()
            .whereLayer("allocator")
            .mayOnlyAccessLayers("base")
            .whereLayer("trace")
            .mayOnlyAccessLayers("base")
            .whereLayer("config")
            .mayOnlyAccessLayers("base")
            .whereLayer("replay")
            .mayOnlyAccessLayers("base", "allocator", "trace")
            .whereLayer("history")
            .mayOnlyAccessLayers("base", "allocator", "trace", "replay")
            .whereLayer("diagnosis")
            .mayOnlyAccessLayers("base", "trace", "history")
            .whereLayer("estimate")
            .mayOnlyAccessLayers("base", "config")
            .whereLayer("planning")
            .mayOnlyAccessLayers("base", "trace", "config", "estimate");

    @ArchTest
    static final ArchRule every_class_belongs_to_a_family = classes()
            .that()
            .resideInAPackage(CORE)
            .should()
            .resideInAnyPackage(
                    "dev.lacuna.core.base..",
                    "dev.lacuna.core.allocator..",
                    "dev.lacuna.core.trace..",
                    "dev.lacuna.core.config..",
                    "dev.lacuna.core.replay..",
                    "dev.lacuna.core.history..",
                    "dev.lacuna.core.diagnosis..",
                    "dev.lacuna.core.estimate..",
                    "dev.lacuna.core.planning..");

    @ArchTest
    static final ArchRule messages_know_nothing_of_their_judgement = noClasses()
            .that()
            .resideInAPackage("dev.lacuna.core.diagnosis.oom..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.lacuna.core.diagnosis",
                    "dev.lacuna.core.diagnosis.model..",
                    "dev.lacuna.core.diagnosis.rule..",
                    "dev.lacuna.core.diagnosis.remedy..",
                    "dev.lacuna.core.diagnosis.snapshot..",
                    "dev.lacuna.core.diagnosis.report..");

    @ArchTest
    static final ArchRule policies_know_nothing_of_their_registry = noClasses()
            .that()
            .resideInAPackage("dev.lacuna.core.allocator.*..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.lacuna.core.allocator");
}
