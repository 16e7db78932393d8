package dev.lacuna.ui;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** What the window must never know, and which way its rooms know one another. */
class HouseRulesTest {
    private static final String[] STATE = {"..ui.session..", "..ui.settings..", "..ui.text..", "..ui.task.."};

    private static final JavaClasses WINDOW = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.lacuna.ui");

    @Test
    void knows_no_native_code_sockets_or_wire() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("com.sun.jna..", "java.net.http..", "java.nio.channels..")
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching("java\\.net\\.(Server|Datagram)?Socket.*")
                .check(WINDOW);
        // The bridge's own package is its face; what lies below it is its own matter.
        noClasses()
                .should()
                .dependOnClassesThat()
                .haveNameMatching("dev\\.lacuna\\.bridge\\.[a-z]\\w*\\..*")
                .check(WINDOW);
    }

    @Test
    void opens_no_files_itself() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .haveNameMatching(
                        "java\\.nio\\.file\\.(Files|FileSystems?|Paths)|java\\.io\\.(File(In|Out)putStream|RandomAccessFile|FileReader|FileWriter)")
                .check(WINDOW);
    }

    @Test
    void makes_threads_in_the_task_package_only() {
        noClasses()
                .that()
                .resideOutsideOfPackage("..ui.task..")
                .should()
                .dependOnClassesThat()
                .haveNameMatching(
                        "java\\.util\\.concurrent\\.(Executor.*|.*Executor|.*ExecutorService|ForkJoin.*)|java\\.util\\.Timer|javafx\\.concurrent\\..*")
                .orShould()
                .callConstructor(Thread.class, Runnable.class)
                .check(WINDOW);
    }

    @Test
    void keeps_nodes_out_of_view_models() {
        noClasses()
                .that()
                .haveSimpleNameEndingWith("Model")
                .or()
                .resideInAnyPackage(STATE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("javafx.scene..", "javafx.stage..", "org.controlsfx..", "atlantafx..")
                .check(WINDOW);
    }

    @Test
    void lets_view_models_know_no_views() {
        noClasses()
                .that()
                .haveSimpleNameEndingWith("Model")
                .should()
                .dependOnClassesThat()
                .haveNameMatching(".*\\.ui\\..*(View|Place|Cell|Card|Pane)")
                .check(WINDOW);
    }

    @Test
    void lets_places_know_the_window_but_not_one_another() {
        slices().matching("dev.lacuna.ui.places.(*)..")
                .should()
                .notDependOnEachOther()
                .check(WINDOW);
        noClasses()
                .that()
                .resideInAPackage("..ui.window..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("..ui.places..")
                .check(WINDOW);
    }

    @Test
    void keeps_the_state_below_the_window() {
        classes()
                .that()
                .resideInAnyPackage(STATE)
                .should()
                .onlyDependOnClassesThat()
                .resideOutsideOfPackages("..ui.window..", "..ui.theme..", "..ui.parts..", "..ui.places..")
                .check(WINDOW);
    }
}
