package dev.lacuna.app.window;

import dev.lacuna.app.files.FileFormats;
import dev.lacuna.ui.parts.FileDialogs;
import dev.lacuna.ui.places.diagnose.LogFiles;
import dev.lacuna.ui.text.Texts;
import java.io.File;
import java.util.List;
import java.util.stream.Stream;
import javafx.stage.Stage;

/** Asks for files of whatever kind the window can show. */
final class AnyFileChooser {
    private static final Texts TEXTS = Texts.of("app");
    private static final List<String> SETTINGS = List.of(".yaml", ".yml", ".json", ".sh");

    private AnyFileChooser() {}

    /** The chosen ones; empty where none was. */
    static List<File> ask(Stage stage) {
        List<String> endings = Stream.of(LogFiles.ENDINGS, FileFormats.recordingEndings(), SETTINGS)
                .flatMap(List::stream)
                .toList();
        return FileDialogs.openSeveral(
                stage,
                TEXTS.get("open.title"),
                new FileDialogs.Wanted(TEXTS.get("open.all"), TEXTS.get("open.known"), endings));
    }
}
