package dev.lacuna.ui.parts;

import java.io.File;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javafx.scene.Node;
import javafx.stage.FileChooser;
import javafx.stage.FileChooser.ExtensionFilter;
import javafx.stage.Window;

/** Asks for files by the desktop's own dialogs. Blocks, as these do; empty where nobody chose. */
public final class FileDialogs {
    /** Whatever is packed may be anything. */
    private static final String PACKED = ".gz";

    /**
     * What is looked for.
     *
     * @param all what every file is called
     * @param known what files with these endings are called
     * @param endings such as {@code .csv}; none where every name will do
     */
    public record Wanted(String all, String known, List<String> endings) {
        public Wanted {
            endings = List.copyOf(endings);
        }
    }

    private FileDialogs() {}

    /** Where to save, under this name unless another is typed. */
    public static Optional<File> save(Node above, String title, String name) {
        FileChooser chooser = titled(title);
        chooser.setInitialFileName(name);
        return Optional.ofNullable(chooser.showSaveDialog(window(above)));
    }

    /** A file of any name. */
    public static Optional<File> open(Node above, String title) {
        return Optional.ofNullable(titled(title).showOpenDialog(window(above)));
    }

    /** A file; all are shown first. */
    public static Optional<File> open(Node above, String title, Wanted wanted) {
        return Optional.ofNullable(filtered(title, wanted).showOpenDialog(window(above)));
    }

    /** Files; all are shown first. */
    public static List<File> openSeveral(Node above, String title, Wanted wanted) {
        return openSeveral(window(above), title, wanted);
    }

    /** The same above a window; null where there is none. */
    public static List<File> openSeveral(Window above, String title, Wanted wanted) {
        return Optional.ofNullable(filtered(title, wanted).showOpenMultipleDialog(above))
                .orElse(List.of());
    }

    private static FileChooser titled(String title) {
        FileChooser chooser = new FileChooser();
        chooser.setTitle(title);
        return chooser;
    }

    private static FileChooser filtered(String title, Wanted wanted) {
        FileChooser chooser = titled(title);
        chooser.getExtensionFilters().add(new ExtensionFilter(wanted.all(), "*"));
        if (!wanted.endings().isEmpty()) {
            List<String> patterns = Stream.concat(wanted.endings().stream(), Stream.of(PACKED))
                    .distinct()
                    .map(ending -> "*" + ending)
                    .toList();
            chooser.getExtensionFilters().add(new ExtensionFilter(wanted.known(), patterns));
        }
        return chooser;
    }

    private static Window window(Node above) {
        return above.getScene() == null ? null : above.getScene().getWindow();
    }
}
