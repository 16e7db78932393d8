package dev.lacuna.app.window;

import dev.lacuna.app.demo.DemoOptions;
import java.io.File;
import java.util.List;
import java.util.Optional;

/**
 * What the window opens on.
 *
 * @param demo a demo to start and attach
 * @param files to be shown
 */
public record WindowOpening(Optional<DemoOptions> demo, List<File> files) {
    public WindowOpening {
        files = List.copyOf(files);
    }

    /** On these files; on nothing where there are none. */
    public static WindowOpening on(List<File> files) {
        return new WindowOpening(Optional.empty(), files);
    }

    /** On this demo. */
    public static WindowOpening on(DemoOptions demo) {
        return new WindowOpening(Optional.of(demo), List.of());
    }
}
