package dev.lacuna.ui.places.live;

import dev.lacuna.bridge.Sample;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.task.BackgroundTask;
import dev.lacuna.ui.task.TaskExecutor;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Records some steps of the attached process to a file that goes with this program, and asks by itself what other allocators would
 * have made of them. UI thread only; no toolkit.
 */
final class AllocatorTrial {
    /** Several steps differ in what they need; these take seconds in most trainings. */
    static final int STEPS = 20;

    /** Where no steps are told. */
    static final int SECONDS = 10;

    private static final long NS_PER_SECOND = 1_000_000_000L;

    private final Session session;
    private final RecordingModel recording;
    private final TaskExecutor executor;
    private Optional<Stretch> running = Optional.empty();

    /**
     * What is recorded.
     *
     * @param of the process
     * @param bySteps whether steps are counted; else seconds
     * @param from what had been told when it began; empty until then
     */
    private record Stretch(TrainingProcess of, boolean bySteps, Optional<Sample> from) {}

    /**
     * How far it is.
     *
     * @param done steps or seconds
     * @param of how many
     * @param inSteps which of the two
     */
    record Progress(int done, int of, boolean inSteps) {
        boolean isWhole() {
            return done >= of;
        }
    }

    /** @param recording what is made by the one button or by the other */
    AllocatorTrial(Session session, RecordingModel recording, TaskExecutor executor) {
        this.session = session;
        this.recording = recording;
        this.executor = executor;
        session.addSampleListener(this::see);
        session.attachedProperty().addListener((property, before, now) -> endUnless(now));
        recording.stateProperty().addListener((property, before, now) -> {
            if (now == RecordingModel.State.IDLE) {
                running = Optional.empty();
            }
        });
    }

    /** Whether {@link #start} does anything. */
    boolean canStart() {
        return recording.canStart()
                && running.isEmpty()
                && session.latestProperty().get().isPresent();
    }

    /** How far it is; empty while none is made. */
    Optional<Progress> progress() {
        return running.map(stretch -> progress(stretch, session.latestProperty().get()));
    }

    /** Whether what is recorded now was begun here. */
    boolean isRunning() {
        return running.isPresent();
    }

    /** Begins. */
    void start() {
        if (!canStart()) {
            return;
        }
        Sample now = session.latestProperty().get().orElseThrow();
        Stretch stretch = new Stretch(session.attachedProperty().get().orElseThrow(), step(now) > 0, Optional.empty());
        running = Optional.of(stretch);
        String name = recording.suggestedName();
        executor.execute(BackgroundTask.of(() -> recording.scratch(name))
                .onSuccess(target -> begin(stretch, target))
                .onFailure(fault -> {
                    running = Optional.empty();
                    recording.couldNotBegin(name, fault);
                }));
    }

    /** That is enough: what was recorded so far is looked at. */
    void stop() {
        recording.stop();
    }

    private void begin(Stretch stretch, Path target) {
        boolean still =
                session.attachedProperty().get().filter(stretch.of()::isSameAs).isPresent();
        if (!still || !recording.canStart()) {
            running = Optional.empty();
            return;
        }
        recording.startForWhatIf(target, stretch.bySteps() ? OptionalInt.of(STEPS) : OptionalInt.empty());
        session.latestProperty().get().ifPresent(this::see);
    }

    private void see(Sample now) {
        if (recording.hasBegun()) {
            running = running.map(stretch ->
                    new Stretch(stretch.of(), stretch.bySteps(), stretch.from().or(() -> Optional.of(now))));
        }
        // One that records itself ends by itself.
        if (running.filter(stretch -> !stretch.of().isStock()).isPresent()
                && progress().filter(Progress::isWhole).isPresent()) {
            recording.stop();
        }
    }

    private void endUnless(Optional<TrainingProcess> attached) {
        if (running.isPresent() && attached.filter(running.get().of()::isSameAs).isEmpty()) {
            recording.stop();
        }
    }

    private static Progress progress(Stretch stretch, Optional<Sample> now) {
        int most = stretch.bySteps() ? STEPS : SECONDS;
        long done = stretch.from()
                .flatMap(from -> now.map(to -> stretch.bySteps()
                        ? step(to) - step(from)
                        : (to.monotonicNs() - from.monotonicNs()) / NS_PER_SECOND))
                .orElse(0L);
        return new Progress((int) Math.max(0, Math.min(most, done)), most, stretch.bySteps());
    }

    private static long step(Sample sample) {
        return sample.devices().stream().mapToLong(MemoryCounters::step).max().orElse(0);
    }
}
