package dev.lacuna.ui.places.planner.mindformers;

import dev.lacuna.core.config.document.ConfigDocument;
import dev.lacuna.core.config.document.ConfigReader;
import dev.lacuna.core.config.mindformers.GridAct;
import dev.lacuna.core.config.mindformers.GridPosition;
import dev.lacuna.core.config.mindformers.LayerGrid;
import dev.lacuna.core.config.mindformers.MindformersResult;
import dev.lacuna.ui.places.planner.files.PlannerFiles;
import dev.lacuna.ui.session.FaultText;
import dev.lacuna.ui.task.BackgroundTask;
import dev.lacuna.ui.task.TaskExecutor;
import dev.lacuna.ui.text.FileFault;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.text.TranslatedText;
import dev.lacuna.ui.window.Notices;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanBinding;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;

/** Opens a MindFormers file, holds the grid that a person makes of it with what was before, and says what saving would do. */
public final class MindformersViewModel {
    private static final Texts TEXTS = Texts.of("planner");

    private final PlannerFiles files;
    private final TaskExecutor executor;
    private final Notices notices;
    private final Map<String, String> environment;
    private final TranslatedText source = new TranslatedText();
    private final TranslatedText fault = new TranslatedText();
    private final ReadOnlyObjectWrapper<Optional<LayerGrid>> grid = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyObjectWrapper<Optional<GridCheck>> check = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyObjectWrapper<List<Remark>> remarks = new ReadOnlyObjectWrapper<>(List.of());
    private final ReadOnlyBooleanWrapper changed = new ReadOnlyBooleanWrapper();
    private final ReadOnlyBooleanWrapper checking = new ReadOnlyBooleanWrapper();
    private final ObjectProperty<GridRange> selection =
            new SimpleObjectProperty<>(GridRange.of(new GridPosition(0, 0)));
    private final StringProperty prefetch = new SimpleStringProperty("1");
    private final GridUndo past = new GridUndo();
    private Optional<ConfigDocument> file = Optional.empty();
    private Optional<String> path = Optional.empty();
    private Optional<BackgroundTask<?>> running = Optional.empty();

    /** @param environment of a run on this machine, to check what swap needs of it */
    public MindformersViewModel(
            PlannerFiles files, TaskExecutor executor, Notices notices, Map<String, String> environment) {
        this.files = files;
        this.executor = executor;
        this.notices = notices;
        this.environment = Map.copyOf(environment);
        Texts.wordingProperty().addListener((property, before, now) -> say());
    }

    /** Where the settings come from; empty while none are open. */
    public ReadOnlyStringProperty sourceProperty() {
        return source.property();
    }

    /** Whether a file, or what was pasted, could be read. */
    public boolean isOpen() {
        return file.isPresent();
    }

    /** Why the last file could not be read; empty when it could. */
    ReadOnlyStringProperty faultProperty() {
        return fault.property();
    }

    /** The grid as it is now; empty without a file that runs. */
    ReadOnlyObjectProperty<Optional<LayerGrid>> gridProperty() {
        return grid.getReadOnlyProperty();
    }

    /** What became of the last check. */
    ReadOnlyObjectProperty<Optional<GridCheck>> checkProperty() {
        return check.getReadOnlyProperty();
    }

    /** What is to be said about it, gravest first. */
    ReadOnlyObjectProperty<List<Remark>> remarksProperty() {
        return remarks.getReadOnlyProperty();
    }

    /** Whether the grid differs from the file. */
    ReadOnlyBooleanProperty changedProperty() {
        return changed.getReadOnlyProperty();
    }

    /** Whether something is being read or checked. */
    ReadOnlyBooleanProperty checkingProperty() {
        return checking.getReadOnlyProperty();
    }

    ReadOnlyBooleanProperty canUndoProperty() {
        return past.canUndoProperty();
    }

    ReadOnlyBooleanProperty canRedoProperty() {
        return past.canRedoProperty();
    }

    /** The selected cells. */
    ObjectProperty<GridRange> selectionProperty() {
        return selection;
    }

    /** How many operators ahead what is swapped next comes back: a number from 1, or Auto. */
    StringProperty prefetchProperty() {
        return prefetch;
    }

    /** Whether the grid differs and can be written. */
    BooleanBinding canSave() {
        return Bindings.createBooleanBinding(
                () -> changed.get()
                        && !checking.get()
                        && check.get().flatMap(GridCheck::document).isPresent(),
                changed,
                checking,
                check);
    }

    /** The path that saving writes to; empty for what was pasted. */
    Optional<String> path() {
        return path;
    }

    /** Opens the file at this path. */
    public void open(String wanted) {
        read(() -> files.read(wanted), () -> wanted, Optional.of(wanted));
    }

    /** Opens pasted text. */
    void paste(String text) {
        if (!text.isBlank()) {
            read(() -> text, () -> TEXTS.get("mf.pasted"), Optional.empty());
        }
    }

    /** Opens the example that comes with the program. */
    public void openExample() {
        read(Example::text, () -> TEXTS.get("mf.example"), Optional.empty());
    }

    /** Closes what is open. */
    void close() {
        forget();
        source.clear();
        fault.clear();
        file = Optional.empty();
        path = Optional.empty();
        grid.set(Optional.empty());
        check.set(Optional.empty());
        say();
    }

    /** Does this to the selected cells. */
    void act(GridAct act) {
        if (act == GridAct.SWAP && !prefetchValid()) {
            return;
        }
        change(now -> act.on(now, selection.get().cells(), prefetch.get().strip()));
    }

    /** Gives this cell its next state. */
    void cycle(GridPosition cell) {
        change(now -> GridAct.cycle(now, cell, prefetchValid() ? prefetch.get().strip() : "1"));
    }

    /** Turns swap on or off. */
    void swapOn(boolean on) {
        change(now -> now.swapOn(on));
    }

    /** Whether the prefetch is a number from 1, or Auto. */
    boolean prefetchValid() {
        return GridAct.isPrefetch(prefetch.get().strip());
    }

    /** Takes the last change back. */
    public void undo() {
        grid.get().flatMap(past::undo).ifPresent(this::hold);
    }

    /** Makes it again. */
    public void redo() {
        grid.get().flatMap(past::redo).ifPresent(this::hold);
    }

    /** Selects this cell. */
    void jump(GridPosition cell) {
        selection.set(GridRange.of(cell));
    }

    /** What saving would change in the file; empty when it cannot be saved. */
    List<LineDifference> preview() {
        if (file.isEmpty()) {
            return List.of();
        }
        return check.get()
                .flatMap(GridCheck::document)
                .map(written -> LineDifference.between(file.get().text(), written.text()))
                .orElse(List.of());
    }

    /** The text that saving writes; empty when it cannot be saved. */
    Optional<String> text() {
        return check.get().flatMap(GridCheck::document).map(ConfigDocument::text);
    }

    /** The open file as it would be saved; the file itself where the grid cannot be written. */
    public Optional<ConfigDocument> document() {
        return check.get().flatMap(GridCheck::document).or(() -> file);
    }

    /** Writes what the grid holds to this path, which is then what is open. */
    void save(String to) {
        Optional<ConfigDocument> written = check.get().flatMap(GridCheck::document);
        if (written.isEmpty()) {
            return;
        }
        BackgroundTask<Void> task = BackgroundTask.of(() -> {
            files.write(to, written.get().text());
            return null;
        });
        task.onSuccess(nothing -> {
                    file = written;
                    path = Optional.of(to);
                    source.set(() -> to);
                    changed.set(!grid.get().equals(fileGrid()));
                    notices.inform(TEXTS.get("mf.saved", to));
                })
                .onFailure(why -> notices.fail(TEXTS.get("mf.save.failed", to), FaultText.of(why)));
        executor.execute(task);
    }

    private void read(Callable<String> text, Supplier<String> called, Optional<String> from) {
        BackgroundTask<ConfigDocument> task = BackgroundTask.of(() -> ConfigReader.read(text.call()));
        task.onSuccess(document -> {
                    forget();
                    shown(document, called, from);
                })
                .onFailure(why -> unreadable(called, why));
        start(task);
    }

    /** What was open stays, with every change that was not saved yet. */
    private void unreadable(Supplier<String> called, Exception why) {
        if (file.isEmpty()) {
            close();
            source.set(called);
            fault.set(() -> FaultText.of(why));
            return;
        }
        notices.fail(FileFault.kept(called.get()), FaultText.of(why));
        if (changed.get()) {
            // Its check was given up when the other file was read.
            grid.get().ifPresent(this::hold);
        }
    }

    private void shown(ConfigDocument document, Supplier<String> called, Optional<String> from) {
        file = Optional.of(document);
        path = from;
        source.set(called);
        fault.clear();
        check.set(Optional.of(GridCheck.of(document, environment)));
        grid.set(fileGrid());
        changed.set(false);
        selection.set(GridRange.of(new GridPosition(0, 0)));
        say();
    }

    private Optional<LayerGrid> fileGrid() {
        return check.get()
                .map(GridCheck::result)
                .filter(MindformersResult.Valid.class::isInstance)
                .map(result -> LayerGrid.of((MindformersResult.Valid) result));
    }

    private void change(UnaryOperator<LayerGrid> change) {
        if (grid.get().isEmpty()) {
            return;
        }
        LayerGrid before = grid.get().get();
        LayerGrid after = change.apply(before);
        if (!after.equals(before)) {
            past.changed(before);
            hold(after);
        }
    }

    private void hold(LayerGrid now) {
        grid.set(Optional.of(now));
        running.ifPresent(BackgroundTask::cancel);
        ConfigDocument document = file.orElseThrow();
        BackgroundTask<GridCheck> task = BackgroundTask.of(() -> GridCheck.of(document, now, environment));
        changed.set(true);
        task.onSuccess(result -> {
            check.set(Optional.of(result));
            changed.set(result.document()
                    .filter(written -> written.text().equals(document.text()))
                    .isEmpty());
            say();
        });
        task.onFailure(why -> notices.fail(TEXTS.get("mf.check.failed"), FaultText.of(why)));
        start(task);
    }

    private void start(BackgroundTask<?> task) {
        running.ifPresent(BackgroundTask::cancel);
        running = Optional.of(task);
        checking.set(true);
        task.onFinished(() -> {
            if (running.filter(task::equals).isPresent()) {
                checking.set(false);
            }
        });
        executor.execute(task);
    }

    private void forget() {
        running.ifPresent(BackgroundTask::cancel);
        past.clear();
        changed.set(false);
    }

    private void say() {
        remarks.set(check.get().map(Remarks::of).orElse(List.of()));
    }
}
