package dev.lacuna.core;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The core computes: files and streams are its only outside world, and its packages know each other in one direction. */
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

    @ArchTest
    static final ArchRule memory_stands_at_the_bottom = knowsNothingOf(
            "memory",
            "plan",
            "trace",
            "pool",
            "lifetime",
            "replay",
            "oom",
            "diagnosis",
            "swap",
            "recompute",
            "estimate",
            "mindformers");

    @ArchTest
    static final ArchRule snapshots_know_nothing_of_what_is_made_of_them = knowsNothingOf(
            "snapshot", "trace", "pool", "lifetime", "replay", "oom", "diagnosis", "swap", "recompute", "estimate");

    @ArchTest
    static final ArchRule messages_know_nothing_of_their_judgement = knowsNothingOf(
            "oom", "diagnosis", "trace", "pool", "lifetime", "replay", "swap", "recompute", "estimate", "mindformers");

    @ArchTest
    static final ArchRule plans_know_nothing_of_who_follows_them =
            knowsNothingOf("plan", "pool", "trace", "lifetime", "replay", "oom", "diagnosis");

    @ArchTest
    static final ArchRule pools_know_nothing_of_what_feeds_them = knowsNothingOf(
            "pool",
            "trace",
            "replay",
            "settings",
            "snapshot",
            "oom",
            "diagnosis",
            "swap",
            "recompute",
            "estimate",
            "mindformers");

    @ArchTest
    static final ArchRule lifetimes_know_nothing_of_pools =
            knowsNothingOf("lifetime", "pool", "trace", "replay", "oom", "diagnosis");

    @ArchTest
    static final ArchRule traces_know_nothing_of_what_replays_them =
            knowsNothingOf("trace", "pool", "replay", "oom", "diagnosis");

    @ArchTest
    static final ArchRule settings_know_nothing_of_who_applies_them = knowsNothingOf(
            "settings", "trace", "replay", "snapshot", "lifetime", "oom", "diagnosis", "swap", "recompute", "estimate");

    private static ArchRule knowsNothingOf(String packageName, String... others) {
        String[] packages = new String[others.length];
        for (int i = 0; i < others.length; i++) {
            packages[i] = "dev.lacuna.core." + others[i] + "..";
        }
        return noClasses()
                .that()
                .resideInAPackage("dev.lacuna.core." + packageName + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packages)
                .allowEmptyShould(true);
    }
}
