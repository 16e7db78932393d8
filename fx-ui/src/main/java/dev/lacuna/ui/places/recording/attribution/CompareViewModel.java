package dev.lacuna.ui.places.recording.attribution;

import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.compare.Comparison;
import dev.lacuna.core.history.compare.Side;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.Recording;
import dev.lacuna.ui.places.recording.focus.RecordingFiles;
import dev.lacuna.ui.places.recording.focus.RecordingFocus;
import dev.lacuna.ui.places.recording.focus.RecordingViewModel;
import dev.lacuna.ui.task.BackgroundTask;
import dev.lacuna.ui.task.TaskExecutor;
import dev.lacuna.ui.text.FileFault;
import dev.lacuna.ui.text.Texts;
import java.util.Optional;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.beans.property.SimpleBooleanProperty;

/**
 * Compares the moment that is looked at with a base: another moment that was marked, or the end of another file. Until one is
 * chosen, the base is the beginning of the stretch.
 */
final class CompareViewModel {
    private static final Texts TEXTS = Texts.of("who");

    /** What the moment is held against. */
    private record Base(Side side, boolean otherFile) {}

    private final RecordingViewModel model;
    private final RecordingFiles files;
    private final TaskExecutor executor;
    private final BooleanProperty shown = new SimpleBooleanProperty();
    private final BooleanProperty swapped = new SimpleBooleanProperty();
    private final ReadOnlyObjectWrapper<Optional<Comparison>> comparison =
            new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyStringWrapper fault = new ReadOnlyStringWrapper("");
    private final ReadOnlyBooleanWrapper reading = new ReadOnlyBooleanWrapper();
    private final Newest<Comparison> answers;
    private Optional<Base> base = Optional.empty();

    CompareViewModel(RecordingViewModel model, RecordingFiles files, TaskExecutor executor) {
        this.model = model;
        this.files = files;
        this.executor = executor;
        answers = new Newest<>(executor, c -> comparison.set(Optional.of(c)), why -> fault.set(FileFault.explain(why)));
        model.deviceProperty().addListener((property, before, now) -> {
            answers.forget();
            // A base in the recording that went goes with it; another file stays.
            base = base.filter(Base::otherFile);
            comparison.set(Optional.empty());
            ask();
        });
        focus().momentProperty().addListener((property, before, now) -> ask());
        focus().rangeProperty().addListener((property, before, now) -> ask());
        shown.addListener((property, before, now) -> ask());
        swapped.addListener((property, before, now) -> ask());
        Texts.wordingProperty().addListener((property, before, now) -> ask());
    }

    /** Whether anybody looks. */
    BooleanProperty shownProperty() {
        return shown;
    }

    /** Whether the moment that is looked at is the base, and the other the one that is held against it. */
    BooleanProperty swappedProperty() {
        return swapped;
    }

    /** What came of it. */
    ReadOnlyObjectProperty<Optional<Comparison>> comparisonProperty() {
        return comparison.getReadOnlyProperty();
    }

    /** Why the other file cannot be compared; empty when nothing is wrong. */
    ReadOnlyStringProperty faultProperty() {
        return fault.getReadOnlyProperty();
    }

    /** Whether the other file is being read. */
    ReadOnlyBooleanProperty readingProperty() {
        return reading.getReadOnlyProperty();
    }

    RecordingFocus focus() {
        return model.focus();
    }

    /** Takes the moment that is looked at as the base. */
    void mark() {
        model.deviceProperty().get().ifPresent(history -> {
            base = Optional.of(new Base(side(history, focus().momentProperty().get()), false));
            ask();
        });
    }

    /** Takes the end of another file as the base: the same device of it, else its first. */
    void open(String path) {
        int device = model.deviceProperty().get().map(DeviceHistory::device).orElse(0);
        fault.set("");
        reading.set(true);
        executor.execute(BackgroundTask.controlled(control ->
                        files.open(path, new OpenRequest(Optional.empty(), (read, total) -> {}, control::cancelled)))
                .onSuccess(other -> opened(path, other, device))
                .onFailure(why -> fault.set(FileFault.explain(why)))
                .onFinished(() -> reading.set(false)));
    }

    /** Back to the beginning of the stretch. */
    void forget() {
        base = Optional.empty();
        fault.set("");
        ask();
    }

    private void opened(String path, Recording other, int device) {
        Optional<DeviceHistory> same = other.devices().stream()
                .filter(d -> d.device() == device && !d.isEmpty())
                .findFirst();
        Optional<DeviceHistory> any =
                same.or(() -> other.devices().stream().filter(d -> !d.isEmpty()).findFirst());
        if (any.isEmpty()) {
            fault.set(TEXTS.get("compare.empty"));
            return;
        }
        String name = path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
        base = Optional.of(new Base(Side.atEnd(name, any.get()), true));
        ask();
    }

    private void ask() {
        Optional<DeviceHistory> device = model.deviceProperty().get();
        if (device.isEmpty() || !shown.get()) {
            return;
        }
        DeviceHistory history = device.get();
        Side here = side(history, Math.min(focus().momentProperty().get(), history.size()));
        int start = Math.min(focus().rangeProperty().get().from(), history.size());
        Side there = base.map(Base::side).orElseGet(() -> side(history, start));
        boolean back = swapped.get();
        answers.ask(() -> back ? Comparison.of(here, there) : Comparison.of(there, here));
    }

    private static Side side(DeviceHistory history, int moment) {
        return new Side(TEXTS.get("compare.moment", moment), history, moment);
    }
}
