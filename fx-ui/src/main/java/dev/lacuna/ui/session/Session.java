package dev.lacuna.ui.session;

import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.ProcessRecording;
import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.Reply;
import dev.lacuna.bridge.Sample;
import dev.lacuna.bridge.SwapControl;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.bridge.TrainingProcesses;
import dev.lacuna.ui.task.BackgroundTask;
import dev.lacuna.ui.task.TaskExecutor;
import dev.lacuna.ui.task.UiScheduler;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.collections.ObservableList;

/**
 * The process that the window is attached to. Reading starts with {@link #attach} and is passive; control needs the
 * operator's word, asked once per process and attachment. UI thread only, and every listener and future is completed there.
 */
public final class Session {
    /** Code of the {@link Reply.Refused} when the operator did not allow control. */
    public static final String READ_ONLY = "read-only";

    /** Code of the {@link Reply.Refused} when nothing is attached. */
    public static final String NOT_ATTACHED = "not-attached";

    /** Code of an {@link Answer.Refused} when the attached process has no agent that answers. */
    public static final String NO_CONTROL = "no-control";

    private final TrainingProcesses processes;
    private final TaskExecutor executor;
    private final UiScheduler ui;
    private final ReadOnlyObjectWrapper<Optional<TrainingProcess>> attached =
            new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyObjectWrapper<Optional<Sample>> latest = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyObjectWrapper<ConnectionState> connection = new ReadOnlyObjectWrapper<>(ConnectionState.NONE);
    private final ControlGrants grants;
    private final ChangeHistory history = new ChangeHistory();
    private final List<Consumer<Sample>> listeners = new CopyOnWriteArrayList<>();
    private Optional<Reading> reading = Optional.empty();

    public Session(TrainingProcesses processes, TaskExecutor executor, UiScheduler ui, ControlConsent consent) {
        this.processes = processes;
        this.executor = executor;
        this.ui = ui;
        grants = new ControlGrants(consent, attached.getReadOnlyProperty());
    }

    /** The process, once it is attached. */
    public ReadOnlyObjectProperty<Optional<TrainingProcess>> attachedProperty() {
        return attached.getReadOnlyProperty();
    }

    /** The newest sample of the attached process. */
    public ReadOnlyObjectProperty<Optional<Sample>> latestProperty() {
        return latest.getReadOnlyProperty();
    }

    /** How fresh it is. */
    public ReadOnlyObjectProperty<ConnectionState> connectionProperty() {
        return connection.getReadOnlyProperty();
    }

    /** Whether the operator has allowed this window to change the attached process. */
    public ReadOnlyBooleanProperty controlAllowedProperty() {
        return grants.controlAllowedProperty();
    }

    /** What was changed in the attached process since it was attached, oldest first; undone ones are gone from it. */
    public ObservableList<AppliedChange> history() {
        return history.view();
    }

    /**
     * Calls this with every sample, in order, none left out; in at most 30 UI turns a second, several samples in one
     * turn when the UI thread was late. Draw once per pulse, not once per call.
     */
    public void addSampleListener(Consumer<Sample> listener) {
        listeners.add(listener);
    }

    /**
     * Lets go of what is attached and attaches to this one, living or dead, read-only. The future completes when it is
     * attached, exceptionally with a {@link BridgeException} when it cannot be; {@link #connectionProperty} says so too.
     */
    public CompletableFuture<TrainingProcess> attach(TrainingProcess process) {
        detach();
        CompletableFuture<TrainingProcess> done = new CompletableFuture<>();
        Reading next = new Reading(process, executor, ui, new ReadingToScreen());
        reading = Optional.of(next);
        executor.execute(BackgroundTask.of(() -> next.open(processes))
                .onSuccess(opened -> {
                    if (isCurrent(next)) {
                        attached.set(Optional.of(process));
                        boolean gone = process.state() == ProcessState.GONE;
                        connection.set(gone ? ConnectionState.GONE : ConnectionState.LIVE);
                        grants.begin();
                        next.start(opened);
                        if (gone) {
                            ended(next);
                        }
                    } else {
                        closeUnused(opened);
                    }
                    done.complete(process);
                })
                .onFailure(fault -> {
                    if (isCurrent(next)) {
                        reading = Optional.empty();
                        connection.set(ConnectionState.failed(FaultText.of(fault)));
                    }
                    done.completeExceptionally(fault);
                }));
        return done;
    }

    /**
     * The same where an agent has taken the place of what was attached: it is the process that the operator allowed to be changed, so
     * nobody is asked anew.
     */
    public CompletableFuture<TrainingProcess> follow(TrainingProcess agent) {
        boolean allowed = grants.controlAllowedProperty().get()
                && attached.get().filter(agent::isSameAs).isPresent();
        return attach(agent).thenApply(process -> {
            if (allowed && attached.get().filter(process::equals).isPresent()) {
                grants.goOn();
            }
            return process;
        });
    }

    /** Lets go; harmless when nothing is attached. */
    public void detach() {
        reading.ifPresent(Reading::close);
        reading = Optional.empty();
        attached.set(Optional.empty());
        latest.set(Optional.empty());
        connection.set(ConnectionState.NONE);
        grants.begin();
        history.clear();
    }

    /** Asks the operator for control of the attached process unless that was done; completes with whether it is allowed. */
    public CompletionStage<Boolean> requestControl() {
        return grants.request();
    }

    /** Back to read-only for the attached process. */
    public void giveUpControl() {
        grants.giveUp();
    }

    /**
     * Asks for control where needed and sends the change. Completes with the agent's reply, with a
     * {@link Reply.Refused} of code {@link #READ_ONLY} or {@link #NOT_ATTACHED}, or exceptionally with a
     * {@link BridgeException}.
     */
    public CompletableFuture<Reply> apply(Change change) {
        CompletableFuture<Reply> answer = new CompletableFuture<>();
        Optional<Reading> current = reading.filter(r -> attached.get().isPresent());
        if (current.isEmpty()) {
            answer.complete(refused(NOT_ATTACHED, "no process is attached"));
            return answer;
        }
        requestControl().whenComplete((yes, fault) -> {
            if (fault != null) {
                answer.completeExceptionally(fault);
            } else if (yes) {
                send(current.get(), change, answer);
            } else {
                answer.complete(refused(READ_ONLY, "control was not allowed"));
            }
        });
        return answer;
    }

    /** Whether there is a change to undo. */
    public boolean canUndo() {
        return !history.isEmpty();
    }

    /** Brings back what held before the last change; like {@link #apply}, and refused when there is none. */
    public CompletableFuture<Reply> undo() {
        if (history.isEmpty()) {
            return CompletableFuture.completedFuture(refused("nothing-to-undo", "nothing was changed"));
        }
        AppliedChange last = history.last();
        return apply(last.inverse()).thenApply(reply -> {
            if (reply instanceof Reply.Applied && !history.isEmpty()) {
                history.undone(last);
            }
            return reply;
        });
    }

    /** What was undone and can be done again, the next last; a new change empties it. */
    public ObservableList<AppliedChange> undone() {
        return history.undoneView();
    }

    /** Does again what was undone last; like {@link #apply}, and refused when there is nothing. */
    public CompletableFuture<Reply> redo() {
        if (history.undoneView().isEmpty()) {
            return CompletableFuture.completedFuture(refused("nothing-to-redo", "nothing was undone"));
        }
        AppliedChange next = history.lastUndone();
        return apply(next.asked()).thenApply(reply -> {
            if (reply instanceof Reply.Applied) {
                history.redone(next);
            }
            return reply;
        });
    }

    /**
     * Something to ask of swapping.
     *
     * @param <T> what the answer gives
     */
    @FunctionalInterface
    public interface SwapQuestion<T> {
        /** Asks and waits; off the UI thread. */
        Answer<T> ask(SwapControl swapping) throws BridgeException;
    }

    /**
     * Asks the attached process's agent about its swapping. Whoever changes something by it asks for control first. Completes
     * with the answer, with an {@link Answer.Refused} of code {@link #NOT_ATTACHED} or {@link #NO_CONTROL}, or
     * exceptionally with a {@link BridgeException}.
     */
    public <T> CompletableFuture<Answer<T>> askSwapping(SwapQuestion<T> question) {
        return ask(process -> {
            Optional<SwapControl> swapping = process.swapping();
            return swapping.isPresent() ? question.ask(swapping.get()) : cannotBeAsked();
        });
    }

    /**
     * Something to ask of an attached process.
     *
     * @param <T> what the answer gives
     */
    @FunctionalInterface
    public interface Question<T> {
        /** Asks and waits; off the UI thread. */
        Answer<T> ask(AttachedProcess process) throws BridgeException;
    }

    /** The answer of a process that has nobody who could be asked. */
    public static <T> Answer<T> cannotBeAsked() {
        return new Answer.Refused<>(NO_CONTROL, "its agent cannot be asked");
    }

    /**
     * Asks the attached process something that changes nothing. Completes as {@link #askSwapping} does.
     */
    public <T> CompletableFuture<Answer<T>> ask(Question<T> question) {
        CompletableFuture<Answer<T>> answer = new CompletableFuture<>();
        Optional<Reading> current = reading.filter(r -> attached.get().isPresent());
        if (current.isEmpty()) {
            answer.complete(new Answer.Refused<>(NOT_ATTACHED, "no process is attached"));
            return answer;
        }
        executor.execute(BackgroundTask.of(() -> question.ask(current.get().opened()))
                .onSuccess(answer::complete)
                .onFailure(answer::completeExceptionally));
        return answer;
    }

    /** The same of something that changes the process: control is asked for where needed, and {@link #READ_ONLY} where it was not given. */
    public <T> CompletableFuture<Answer<T>> act(Question<T> question) {
        return requestControl()
                .thenCompose(allowed -> allowed
                        ? ask(question)
                        : CompletableFuture.<Answer<T>>completedFuture(
                                new Answer.Refused<>(READ_ONLY, "control was not allowed")))
                .toCompletableFuture();
    }

    /** Where the last out-of-memory message of a process, living or dead, can be had; completes on the UI thread. */
    public CompletableFuture<Optional<String>> lastOutOfMemory(TrainingProcess process) {
        CompletableFuture<Optional<String>> message = new CompletableFuture<>();
        executor.execute(BackgroundTask.of(() -> {
                    try (AttachedProcess opened = processes.open(process)) {
                        return opened.lastOutOfMemory();
                    }
                })
                .onSuccess(message::complete)
                .onFailure(message::completeExceptionally));
        return message;
    }

    /**
     * Begins to record the attached process, through a reading of its own, after asking for control where the process has to record itself: it goes on when the window lets go of the process. Completes on
     * the UI thread; exceptionally when nothing is attached, it cannot be read, or nothing can be written there.
     */
    public CompletableFuture<ProcessRecording> record(Path target) {
        return record(target, OptionalInt.empty());
    }

    /** The same for so many steps, where the process has to record itself. */
    public CompletableFuture<ProcessRecording> record(Path target, OptionalInt steps) {
        CompletableFuture<ProcessRecording> begun = new CompletableFuture<>();
        Optional<TrainingProcess> process = attached.get();
        if (process.isEmpty()) {
            begun.completeExceptionally(new BridgeException(BridgeException.Reason.GONE, "no process is attached"));
            return begun;
        }
        CompletionStage<Boolean> allowed =
                process.get().isStock() ? requestControl() : CompletableFuture.completedFuture(true);
        allowed.thenAccept(yes -> {
            if (yes) {
                executor.execute(BackgroundTask.of(() -> processes.record(process.get(), target, steps))
                        .onSuccess(begun::complete)
                        .onFailure(begun::completeExceptionally));
            } else {
                begun.completeExceptionally(
                        new BridgeException(BridgeException.Reason.NOT_PERMITTED, "control was not allowed"));
            }
        });
        return begun;
    }

    private void send(Reading to, Change change, CompletableFuture<Reply> answer) {
        Optional<Change> inverse = latest.get().flatMap(now -> ChangeHistory.inverse(change, now));
        executor.execute(BackgroundTask.of(() -> to.opened().apply(change))
                .onSuccess(reply -> {
                    if (reply instanceof Reply.Applied applied && isCurrent(to)) {
                        inverse.ifPresent(back -> history.add(new AppliedChange(change, back, applied, Instant.now())));
                    }
                    answer.complete(reply);
                })
                .onFailure(answer::completeExceptionally));
    }

    /** Closing may wait for the bridge, so it happens off the UI thread. */
    private void closeUnused(AttachedProcess opened) {
        executor.execute(BackgroundTask.of(() -> {
            opened.close();
            return true;
        }));
    }

    private boolean isCurrent(Reading candidate) {
        return reading.filter(r -> r == candidate).isPresent();
    }

    /** Shows that it has ended at once, and how as soon as that is found out. */
    private void ended(Reading from) {
        if (connection.get().kind() != ConnectionState.Kind.GONE) {
            connection.set(ConnectionState.GONE);
        }
        executor.execute(BackgroundTask.of(() -> from.opened().ending())
                .onSuccess(how -> {
                    if (isCurrent(from)) {
                        connection.set(ConnectionState.gone(how));
                    }
                })
                .onFailure(letGoMeanwhile -> {}));
    }

    private static Reply.Refused refused(String code, String text) {
        return new Reply.Refused(code, text, OptionalDouble.empty());
    }

    /** Shows what a reading says as long as it is the current one. */
    private final class ReadingToScreen implements Reading.Listener {
        @Override
        public void samples(Reading from, List<Sample> batch) {
            if (!isCurrent(from)) {
                return;
            }
            Sample newest = batch.get(batch.size() - 1);
            latest.set(Optional.of(newest));
            if (newest.state() == ProcessState.GONE) {
                ended(from);
            } else {
                connection.set(ConnectionState.of(newest));
            }
            for (Sample sample : batch) {
                listeners.forEach(listener -> listener.accept(sample));
            }
        }

        @Override
        public void failed(Reading from, BridgeException fault) {
            if (isCurrent(from)) {
                connection.set(
                        fault.reason() == BridgeException.Reason.GONE
                                ? ConnectionState.GONE
                                : ConnectionState.failed(FaultText.of(fault)));
            }
        }

        @Override
        public void silent(Duration silence) {
            if (connection.get().reachable()) {
                connection.set(ConnectionState.stale(silence));
            }
        }
    }
}
