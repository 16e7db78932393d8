package dev.lacuna.app.window;

import dev.lacuna.ui.places.live.RecordingModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Each in a folder of its own that nobody else can look into. What is opened is read again and again: they go when the program ends. */
final class ScratchFiles implements RecordingModel.Scratch {
    private final List<Path> made = new CopyOnWriteArrayList<>();

    @Override
    public Path file(String name) throws IOException {
        Path folder = Files.createTempDirectory("lacuna-whatif");
        folder.toFile().deleteOnExit();
        Path file = folder.resolve(name);
        file.toFile().deleteOnExit();
        made.add(file);
        return file;
    }

    /** Those of this program's life. */
    List<Path> made() {
        return List.copyOf(made);
    }
}
