package dev.lacuna.app.cli.mindformers;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.cli.output.TableOutput;
import dev.lacuna.core.config.document.ConfigDocument;
import dev.lacuna.core.config.mindformers.GridEdit;
import dev.lacuna.core.config.mindformers.InexpressibleGridException;
import dev.lacuna.core.config.mindformers.LayerGrid;
import dev.lacuna.core.config.mindformers.LayerGridWriter;
import dev.lacuna.core.config.mindformers.MindformersResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** {@code --edit}, {@code --swap} and {@code -o} of {@code lacuna mindformers}: what the window's grid does to a file. */
final class GridEdits {
    @Option(names = "--edit", paramLabel = "LAYERS[:OPERATOR]=ACT")
    private List<String> edits = List.of();

    @Option(names = "--swap", paramLabel = "on|off")
    private Optional<String> swap = Optional.empty();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE")
    private Optional<Path> target = Optional.empty();

    @Option(names = "--overwrite")
    private boolean overwrite;

    /** Whether the file is to be changed. */
    boolean isAsked() {
        return !edits.isEmpty() || swap.isPresent();
    }

    /** Why what was said makes no sense; empty where it does. */
    Optional<String> fault(int files) {
        if (target.isPresent() && !isAsked() || overwrite && target.isEmpty() || isAsked() && files != 1) {
            return Optional.of(CliText.text("mindformers.edit.one"));
        }
        if (swap.filter(on -> !on.matches("on|off")).isPresent()) {
            return Optional.of(CliText.text("mindformers.edit.swap", swap.get()));
        }
        if (target.filter(Files::exists).isPresent() && !overwrite) {
            return Optional.of(CliText.text("mindformers.edit.exists", target.get()));
        }
        return edits.stream()
                .filter(edit -> GridEdit.parse(edit).isEmpty())
                .findFirst()
                .map(edit -> CliText.text("mindformers.edit.unknown", edit));
    }

    /** The file with the changes in it; one that does not run has no grid, and stays. */
    ConfigDocument on(ConfigDocument file, MindformersResult result) {
        if (!isAsked() || !(result instanceof MindformersResult.Valid valid)) {
            return file;
        }
        LayerGrid grid = LayerGrid.of(valid);
        if (swap.isPresent()) {
            grid = grid.swapOn(swap.get().equals("on"));
        }
        for (String edit : edits) {
            LayerGrid now = grid;
            grid = GridEdit.parse(edit)
                    .flatMap(parsed -> parsed.on(now))
                    .orElseThrow(() -> new CommandFailure(
                            ExitStatus.INPUT,
                            CliText.text(
                                    "mindformers.edit.nowhere",
                                    edit,
                                    Integer.toString(now.rows().size() - 1),
                                    String.join(", ", LayerGrid.operators()))));
        }
        ConfigDocument written = written(file, grid);
        target.ifPresent(path -> TableOutput.save(path, written.text().getBytes(StandardCharsets.UTF_8)));
        return written;
    }

    private static ConfigDocument written(ConfigDocument file, LayerGrid grid) {
        try {
            return new LayerGridWriter(file, System.getenv()).write(grid);
        } catch (InexpressibleGridException e) {
            String why = e.obstacles().stream()
                    .map(obstacle -> obstacle.why().text(Locale.getDefault()))
                    .collect(Collectors.joining("; "));
            throw new CommandFailure(ExitStatus.INPUT, CliText.text("mindformers.edit.obstacle", why));
        }
    }
}
