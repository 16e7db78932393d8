package dev.lacuna.app.window;

import dev.lacuna.app.files.FileKind;
import dev.lacuna.app.files.ModelGraph;
import dev.lacuna.ui.task.BackgroundTask;
import dev.lacuna.ui.task.TaskExecutor;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.FileOpener;
import dev.lacuna.ui.window.Notices;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Brings files to the place that can show them, by their content. What none can show is said to be what it is, with what opens there, and
 * changes nothing.
 */
final class DroppedFiles implements FileOpener {
    private static final Texts TEXTS = Texts.of("app");

    private final TaskExecutor executor;
    private final Notices notices;
    private final Runnable chooser;
    private final Door door;

    /**
     * Where files come in.
     *
     * @param opens key of the sentence that says what opens there
     * @param takers who shows files of a kind, now; empty where nobody does
     */
    record Door(String opens, Function<FileKind, Optional<FileOpener>> takers) {
        /** Of the whole window: each kind to its place. */
        static Door ofTheWindow(Function<FileKind, Optional<FileOpener>> takers) {
            return new Door("file.opens", takers);
        }

        /** Of a place for recordings; what might be a damaged one is let in, to be told what is wrong with it. */
        static Door ofRecordings(FileOpener place) {
            return new Door("file.opens.recordings", kind -> switch (kind) {
                case RECORDING, BINARY, LOG, CONFIGURATION -> Optional.of(place);
                default -> Optional.empty();
            });
        }

        /** Of the planner, which reads text of many kinds and estimates traces; of tables only what plans makes something. */
        static Door ofPlans(FileOpener planner, FileOpener plans) {
            return new Door("file.opens.plans", kind -> switch (kind) {
                case RECORDING, LOG, CONFIGURATION -> Optional.of(planner);
                case LIFETIMES -> Optional.of(plans);
                default -> Optional.empty();
            });
        }
    }

    /** @param chooser asks for files and has them opened here */
    DroppedFiles(TaskExecutor executor, Notices notices, Runnable chooser, Door door) {
        this.executor = executor;
        this.notices = notices;
        this.chooser = chooser;
        this.door = door;
    }

    @Override
    public void choose() {
        chooser.run();
    }

    @Override
    public void open(List<File> files) {
        executor.execute(BackgroundTask.of(() -> kinds(files)).onSuccess(this::show));
    }

    private static Map<FileKind, List<File>> kinds(List<File> files) {
        Map<FileKind, List<File>> kinds = new LinkedHashMap<>();
        for (File file : files) {
            kinds.computeIfAbsent(FileKind.of(file.toPath()), kind -> new ArrayList<>())
                    .add(file);
        }
        return kinds;
    }

    /** The kind of the first file comes last and stays in front. */
    private void show(Map<FileKind, List<File>> kinds) {
        List<FileKind> order = new ArrayList<>(kinds.keySet());
        Collections.reverse(order);
        for (FileKind kind : order) {
            door.takers()
                    .apply(kind)
                    .ifPresentOrElse(
                            taker -> taker.open(kinds.get(kind)),
                            () -> kinds.get(kind).forEach(file -> refuse(file, kind)));
        }
    }

    private void refuse(File file, FileKind kind) {
        if (kind == FileKind.MODEL) {
            refuseModel(file);
            return;
        }
        String key = kind.name().toLowerCase(Locale.ROOT).replace('_', '.');
        notices.fail(TEXTS.get("file." + key, file.getName()), TEXTS.get(door.opens()));
    }

    /** The command names the folder of this program's package, which may have to be unpacked first. */
    private void refuseModel(File file) {
        executor.execute(BackgroundTask.of(() -> graphCommand(file.toPath().toAbsolutePath()))
                .onSuccess(command ->
                        notices.fail(TEXTS.get("file.model", file.getName()), TEXTS.get("file.model.graph", command))));
    }

    static String graphCommand(Path file) {
        return ModelGraph.of(file).orElse(ModelGraph.EXPORTED).command("python3", file, List.of());
    }
}
