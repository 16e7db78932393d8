package dev.lacuna.ui.places.live;

import dev.lacuna.bridge.ProcessRecording;
import dev.lacuna.bridge.SavedRecording;
import dev.lacuna.core.base.file.UnwritableException;
import dev.lacuna.ui.session.ConnectionState;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.task.UiScheduler;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Notices;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;

/**
 * Records the attached process to a file. A recording goes on when the window lets go of the process; it ends when the process does, or
 * when it is told to. UI thread only; no toolkit.
 */
public final class RecordingModel {
    private static final Texts TEXTS = Texts.of("live");
    private static final long SAVING_SECONDS = 20;

    /** How far a recording is. */
    public enum State {
        /** None is made. */
        IDLE,
        /** One is made. */
        RUNNING,
        /** It has ended and is being saved. */
        SAVING
    }

    private final Session session;
    private final UiScheduler ui;
    private final Notices notices;
    private final Ways ways;
    private final ReadOnlyObjectWrapper<State> state = new ReadOnlyObjectWrapper<>(State.IDLE);
    private Optional<ProcessRecording> running = Optional.empty();
    private Optional<Path> saved = Optional.empty();

    /**
     * What is done with recordings beside making them.
     *
     * @param snapshot shows one that was saved, block by block
     * @param whatIf asks of it what other allocators would have made of it
     * @param scratch makes room for one that nobody wants to keep
     */
    public record Ways(Consumer<Path> snapshot, Consumer<Path> whatIf, Scratch scratch) {}

    /** Files that go with the program. */
    @FunctionalInterface
    public interface Scratch {
        /** A place for a file of this name; off the UI thread. */
        Path file(String name) throws IOException;
    }

    /** None is made yet. */
    public RecordingModel(Session session, UiScheduler ui, Notices notices, Ways ways) {
        this.session = session;
        this.ui = ui;
        this.notices = notices;
        this.ways = ways;
    }

    /** A place for a recording that nobody wants to keep; off the UI thread. */
    Path scratch(String name) throws IOException {
        return ways.scratch().file(name);
    }

    /** How far the recording is. */
    ReadOnlyObjectProperty<State> stateProperty() {
        return state.getReadOnlyProperty();
    }

    /** Whether {@link #start} does anything: a living process is attached, and none is recorded. */
    boolean canStart() {
        ConnectionState.Kind kind = session.connectionProperty().get().kind();
        return state.get() == State.IDLE
                && session.attachedProperty().get().isPresent()
                && kind != ConnectionState.Kind.GONE
                && kind != ConnectionState.Kind.FAILED;
    }

    /** What a file of the attached process could be called. */
    String suggestedName() {
        return session.attachedProperty()
                .get()
                .map(process -> "lacuna-" + process.id().toString().replace(':', '-')
                        + (process.isStock() ? ".pickle" : ".trace"))
                .orElse("lacuna.trace");
    }

    /** Begins to record the attached process to this file. */
    void start(Path target) {
        start(target, OptionalInt.empty(), this::tell);
    }

    /**
     * The same, and asks at its end what other allocators would have made of it.
     *
     * @param steps how long it lasts, where the process records itself
     */
    void startForWhatIf(Path target, OptionalInt steps) {
        start(target, steps, (file, end) -> saved.ifPresentOrElse(ways.whatIf(), () -> tell(file, end)));
    }

    private void start(Path target, OptionalInt steps, BiConsumer<Path, SavedRecording> then) {
        if (!canStart()) {
            return;
        }
        state.set(State.RUNNING);
        saved = Optional.empty();
        session.record(target, steps).whenComplete((recording, fault) -> {
            if (fault != null) {
                failed(target, fault);
            } else {
                running = Optional.of(recording);
                if (state.get() == State.SAVING) {
                    recording.stop();
                }
                recording.ended().whenComplete((end, why) -> ui.onUi(() -> ended(target, end, why, then)));
            }
        });
    }

    /** Ends the recording and saves it. */
    void stop() {
        if (state.get() == State.RUNNING) {
            state.set(State.SAVING);
            running.ifPresent(ProcessRecording::stop);
        }
    }

    /** Whether something is being recorded by now: before that, the operator may have to allow it. */
    boolean hasBegun() {
        return running.isPresent();
    }

    /** Events recorded so far. */
    long events() {
        return running.map(ProcessRecording::events).orElse(0L);
    }

    /** Events so far that could not be read in time. */
    long lostEvents() {
        return running.map(ProcessRecording::lostEvents).orElse(0L);
    }

    /** The recording that was saved last. */
    Optional<Path> saved() {
        return saved;
    }

    /** Shows the recording that was saved last, block by block. */
    void openSaved() {
        saved.ifPresent(ways.snapshot());
    }

    /** Asks what other allocators would have made of the recording that was saved last. */
    void askWhatIf() {
        saved.ifPresent(ways.whatIf());
    }

    /** The window closes: what was recorded is saved first. */
    public void close() {
        running.ifPresent(recording -> {
            recording.stop();
            try {
                recording.ended().get(SAVING_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException | TimeoutException e) {
                System.getLogger(RecordingModel.class.getName())
                        .log(System.Logger.Level.WARNING, "the recording could not be saved: {0}", e.toString());
            }
        });
    }

    private void ended(Path target, SavedRecording end, Throwable fault, BiConsumer<Path, SavedRecording> then) {
        running = Optional.empty();
        if (fault != null) {
            failed(target, fault);
            return;
        }
        state.set(State.IDLE);
        saved = end.files().stream().findFirst();
        then.accept(target, end);
    }

    private void tell(Path target, SavedRecording end) {
        notices.inform(
                saved.isEmpty()
                        ? TEXTS.get("record.nothing")
                        : end.events() == 0
                                ? TEXTS.get("record.saved.whole", target.toString())
                                : TEXTS.get("record.saved", target.toString(), end.events(), end.lostEvents()));
    }

    /** There was no place for one. */
    void couldNotBegin(String name, Throwable fault) {
        failed(Path.of(name), fault);
    }

    private void failed(Path target, Throwable fault) {
        running = Optional.empty();
        state.set(State.IDLE);
        Throwable cause = fault instanceof CompletionException && fault.getCause() != null ? fault.getCause() : fault;
        String why = cause instanceof IOException unwritable
                ? UnwritableException.of(unwritable).text(Texts.locale())
                : Optional.ofNullable(cause.getLocalizedMessage()).orElseGet(cause::toString);
        notices.fail(TEXTS.get("record.failed", target.toString()), why);
    }
}
