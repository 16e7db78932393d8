package dev.lacuna.ui.places.recording.focus;

import dev.lacuna.core.history.build.LoadRange;
import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.Recording;
import dev.lacuna.core.history.timeline.Timeline;
import dev.lacuna.ui.settings.RecentPaths;
import dev.lacuna.ui.task.BackgroundTask;
import dev.lacuna.ui.task.TaskExecutor;
import dev.lacuna.ui.text.FileFault;
import dev.lacuna.ui.text.Texts;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.ReadOnlyDoubleProperty;
import javafx.beans.property.ReadOnlyDoubleWrapper;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.collections.ObservableList;

/**
 * Opens a recording off the UI thread, and keeps it, the device that is chosen and that device's timeline. What the panes look at
 * is in its {@link #focus()}.
 */
public final class RecordingViewModel {
    private static final Texts TEXTS = Texts.of("snapshot");
    private static final int PROGRESS_STEPS = 200;

    /** What the place is doing. */
    public enum State {
        /** No recording is open. */
        EMPTY,
        /** One is read. */
        READING,
        /** It could not be read. */
        FAILED,
        /** It was read, and there is no segment and no event in it. */
        HOLLOW,
        /** Here it is. */
        SHOWN
    }

    private final TaskExecutor executor;
    private final RecentPaths recent;
    private final RecordingFiles files;
    private final RecordingFocus focus = new RecordingFocus();
    private final ReadOnlyObjectWrapper<State> state = new ReadOnlyObjectWrapper<>(State.EMPTY);
    private final ReadOnlyObjectWrapper<Optional<Recording>> recording = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyObjectWrapper<Optional<DeviceHistory>> device = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyObjectWrapper<Optional<Timeline>> timeline = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyStringWrapper source = new ReadOnlyStringWrapper("");
    private final ReadOnlyStringWrapper fault = new ReadOnlyStringWrapper("");
    private final ReadOnlyBooleanWrapper tooLarge = new ReadOnlyBooleanWrapper();
    private final ReadOnlyDoubleWrapper progress = new ReadOnlyDoubleWrapper(-1);
    private Optional<Chosen> chosen = Optional.empty();
    private Optional<BackgroundTask<?>> reading = Optional.empty();
    private Optional<BackgroundTask<?>> working = Optional.empty();
    private Supplier<String> faultText = () -> "";
    private OptionalInt wanted = OptionalInt.empty();
    private Runnable whenShown = () -> {};
    private Optional<BackgroundTask<?>> looking = Optional.empty();
    private BiConsumer<String, String> whenKept = (name, why) -> {};

    /** A recording that was asked for: its name for people, the file and the part of it, and how to read it. */
    private record Chosen(
            Supplier<String> name,
            Optional<String> path,
            Optional<LoadRange> part,
            BackgroundTask.Work<Recording> work) {}

    public RecordingViewModel(TaskExecutor executor, RecentPaths recent, RecordingFiles files) {
        this.executor = executor;
        this.recent = recent;
        this.files = files;
        Texts.wordingProperty().addListener((property, before, now) -> {
            chosen.ifPresent(c -> source.set(c.name().get()));
            fault.set(faultText.get());
        });
    }

    /** What the place is doing. */
    public ReadOnlyObjectProperty<State> stateProperty() {
        return state.getReadOnlyProperty();
    }

    /** The recording that is open. */
    public ReadOnlyObjectProperty<Optional<Recording>> recordingProperty() {
        return recording.getReadOnlyProperty();
    }

    /** The device of it that is looked at. It changes before the focus begins anew at its last moment. */
    public ReadOnlyObjectProperty<Optional<DeviceHistory>> deviceProperty() {
        return device.getReadOnlyProperty();
    }

    /** The timeline of that device; empty while it is worked out. */
    public ReadOnlyObjectProperty<Optional<Timeline>> timelineProperty() {
        return timeline.getReadOnlyProperty();
    }

    /** The moment, the stretch and the thing that all panes look at. */
    public RecordingFocus focus() {
        return focus;
    }

    /** Where the recording comes from, for people. */
    public ReadOnlyStringProperty sourceProperty() {
        return source.getReadOnlyProperty();
    }

    /** The path of the file that is open; empty for the example. */
    public Optional<String> path() {
        return chosen.flatMap(Chosen::path);
    }

    /** Why it could not be read. */
    public ReadOnlyStringProperty faultProperty() {
        return fault.getReadOnlyProperty();
    }

    /** Calls this with the name of a file that is no recording, and why, where the recording that is open stays. */
    public void whenKept(BiConsumer<String, String> action) {
        whenKept = action;
    }

    /** Whether it could not be read because it is too large, so that a part of it may be opened. */
    public ReadOnlyBooleanProperty tooLargeProperty() {
        return tooLarge.getReadOnlyProperty();
    }

    /** How much is read, 0 to 1; negative when that is not known. */
    public ReadOnlyDoubleProperty progressProperty() {
        return progress.getReadOnlyProperty();
    }

    /** Recordings that were opened before, newest first. */
    public ObservableList<String> recentRecordings() {
        return recent.list();
    }

    /** Takes a path off the recent ones. */
    public void forget(String path) {
        recent.forget(path);
    }

    /** The path of the file that is open as a whole; empty for the example, and where only a part of it is meant. */
    public Optional<String> wholePath() {
        return chosen.filter(c -> c.part().isEmpty()).flatMap(Chosen::path);
    }

    /** The part of the file that is open; empty for all of it. */
    public Optional<LoadRange> part() {
        return chosen.flatMap(Chosen::part);
    }

    /** Opens the recording at this path, all of it. */
    public void open(String path) {
        open(path, Optional.empty(), () -> {});
    }

    /** Shows a moment of a device of the recording at this path, which is opened where it is not the one that is. */
    public void openAt(String path, int number, int moment) {
        if (state.get() == State.SHOWN && wholePath().equals(Optional.of(path))) {
            lookAt(number, moment);
            return;
        }
        open(path, Optional.empty(), () -> lookAt(number, moment));
    }

    private void lookAt(int number, int moment) {
        recording.get().stream()
                .flatMap(open -> open.devices().stream())
                .filter(candidate -> candidate.device() == number)
                .findFirst()
                .ifPresent(this::choose);
        focus.momentProperty().set(moment);
    }

    /** Opens the same file again, but only this part of it; nothing happens when none is open. */
    public void openOnly(LoadRange part) {
        path().ifPresent(path -> open(path, Optional.of(part), () -> {}));
    }

    /** Opens the same file again, but only the stretch that is selected; nothing happens without one. */
    public void openSelected() {
        if (focus.hasRange()) {
            device.get().ifPresent(d -> openOnly(partOf(d, focus.rangeProperty().get())));
        }
    }

    /** Opens the whole of a file of which only a part is open. */
    public void openAll() {
        if (part().isPresent()) {
            path().ifPresent(this::open);
        }
    }

    /** Opens the recording that comes with the program. */
    public void openExample() {
        start(
                new Chosen(
                        () -> TEXTS.get("source.example"),
                        Optional.empty(),
                        Optional.empty(),
                        control -> files.example()),
                () -> {});
    }

    /** What names of files that open here end in. */
    public List<String> endings() {
        return files.endings();
    }

    private void open(String path, Optional<LoadRange> part, Runnable then) {
        Chosen next =
                new Chosen(() -> path, Optional.of(path), part, control -> files.open(path, request(part, control)));
        looking.ifPresent(BackgroundTask::cancel);
        if (state.get() != State.SHOWN) {
            start(next, then);
            return;
        }
        BackgroundTask<String> look = BackgroundTask.of(() -> {
            files.look(path);
            return path;
        });
        look.onSuccess(seen -> start(next, then))
                .onFailure(why -> whenKept.accept(FileFault.kept(path), FileFault.explain(why)));
        looking = Optional.of(look);
        executor.execute(look);
    }

    /** Progress is told as often as a bar moves by a pixel. */
    private static OpenRequest request(Optional<LoadRange> part, BackgroundTask.Control control) {
        int[] reported = new int[1];
        return new OpenRequest(
                part,
                (read, total) -> {
                    int now = total <= 0 ? 0 : (int) (PROGRESS_STEPS * read / total);
                    if (now > reported[0]) {
                        reported[0] = now;
                        control.progress((double) now / PROGRESS_STEPS);
                    }
                },
                control::cancelled);
    }

    /** By time where events tell it: all devices then show the same stretch. */
    private LoadRange partOf(DeviceHistory shown, EventRange range) {
        if (shown.timed() && range.events() > 0) {
            return new LoadRange.Times(shown.timeNs(range.from()), shown.timeNs(range.to() - 1) + 1);
        }
        int first = part().filter(LoadRange.Events.class::isInstance)
                .map(p -> ((LoadRange.Events) p).from())
                .orElse(0);
        return new LoadRange.Events(first + range.from(), first + range.to());
    }

    /** Looks at another device of the recording. */
    public void choose(DeviceHistory next) {
        if (device.get().filter(d -> d == next).isEmpty()) {
            show(next);
        }
    }

    /** Gives up on what is read; what was shown before stays. */
    public void cancel() {
        giveUp();
        if (state.get() == State.READING) {
            close();
        }
    }

    /** Back to no recording. */
    public void close() {
        giveUp();
        chosen = Optional.empty();
        source.set("");
        forgetRecording();
        state.set(State.EMPTY);
    }

    private void start(Chosen next, Runnable then) {
        giveUp();
        whenShown = then;
        // More or less of the same file is about the device that was looked at.
        boolean same = next.path().isPresent() && next.path().equals(path());
        wanted = same
                ? device.get().map(DeviceHistory::device).map(OptionalInt::of).orElse(wanted)
                : OptionalInt.empty();
        // A second one beside the first would need twice the room.
        forgetRecording();
        chosen = Optional.of(next);
        source.set(next.name().get());
        progress.set(-1);
        state.set(State.READING);
        BackgroundTask<Recording> task = BackgroundTask.controlled(next.work());
        // All bytes are read before all is worked out: a bar that is full and stays would look stuck.
        task.onProgress(done -> progress.set(done < 1 ? done : -1))
                .onFailure(this::fail)
                .onSuccess(this::opened);
        reading = Optional.of(task);
        executor.execute(task);
    }

    private void opened(Recording read) {
        List<DeviceHistory> held = read.devices().stream()
                .filter(RecordingViewModel::holdsAnything)
                .toList();
        Optional<DeviceHistory> first = held.stream()
                .filter(device -> wanted.equals(OptionalInt.of(device.device())))
                .findFirst()
                .or(() -> held.stream().max(Comparator.comparingInt(DeviceHistory::size)));
        if (first.isEmpty()) {
            state.set(State.HOLLOW);
            return;
        }
        recording.set(Optional.of(read));
        show(first.get());
        state.set(State.SHOWN);
        path().ifPresent(recent::remember);
        whenShown.run();
        whenShown = () -> {};
    }

    private static boolean holdsAnything(DeviceHistory device) {
        return device.size() > 0
                || device.closing().size() > 0
                || device.opening().size() > 0;
    }

    private void show(DeviceHistory next) {
        working.ifPresent(BackgroundTask::cancel);
        timeline.set(Optional.empty());
        device.set(Optional.of(next));
        focus.begin(next.size());
        BackgroundTask<Timeline> task = BackgroundTask.of(() -> Timeline.of(next));
        task.onFailure(this::fail).onSuccess(done -> timeline.set(Optional.of(done)));
        working = Optional.of(task);
        executor.execute(task);
    }

    private void giveUp() {
        looking.ifPresent(BackgroundTask::cancel);
        looking = Optional.empty();
        reading.ifPresent(BackgroundTask::cancel);
        reading = Optional.empty();
        working.ifPresent(BackgroundTask::cancel);
        working = Optional.empty();
    }

    private void forgetRecording() {
        timeline.set(Optional.empty());
        device.set(Optional.empty());
        recording.set(Optional.empty());
        focus.begin(0);
    }

    private void fail(Exception why) {
        forgetRecording();
        faultText = () -> FileFault.explain(why);
        fault.set(faultText.get());
        tooLarge.set(FileFault.isTooLarge(why));
        state.set(State.FAILED);
    }
}
