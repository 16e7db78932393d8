package dev.lacuna.app.window;

import dev.lacuna.ui.text.Texts;
import java.io.File;
import java.util.List;
import java.util.Optional;
import javafx.stage.FileChooser;
import javafx.stage.FileChooser.ExtensionFilter;
import javafx.stage.Stage;

/** Asks for files of whatever kind the window can show. */
final class AnyFileChooser {
    private static final Texts TEXTS = Texts.of("app");

    private AnyFileChooser() {}

    /** The chosen ones; empty where none was. */
    static List<File> ask(Stage stage) {
        FileChooser chooser = new FileChooser();
        chooser.setTitle(TEXTS.get("open.title"));
        chooser.getExtensionFilters()
                .setAll(
                        new ExtensionFilter(TEXTS.get("open.all"), "*"),
                        new ExtensionFilter(
                                TEXTS.get("open.known"),
                                List.of(
                                        "*.log",
                                        "*.txt",
                                        "*.out",
                                        "*.err",
                                        "*.gz",
                                        "*.pickle",
                                        "*.pkl",
                                        "*.trace",
                                        "*.csv",
                                        "*.mem",
                                        "*.yaml",
                                        "*.yml",
                                        "*.json",
                                        "*.sh")));
        return Optional.ofNullable(chooser.showOpenMultipleDialog(stage)).orElse(List.of());
    }
}
