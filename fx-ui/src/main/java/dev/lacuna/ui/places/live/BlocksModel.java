package dev.lacuna.ui.places.live;

import dev.lacuna.bridge.Sample;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.core.history.mirror.LiveBlocks;
import dev.lacuna.core.history.mirror.MirrorHistory;
import dev.lacuna.core.history.mirror.PoolsFloor;
import dev.lacuna.ui.chart.TimeCursor;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.task.BackgroundTask;
import dev.lacuna.ui.task.TaskExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyIntegerProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.SimpleObjectProperty;

/**
 * Where the blocks of the attached process lie, at most ten times a second. Every sample enters the mirror, off the UI thread
 * and in order, also while nobody looks: a mirror that misses one would have to begin anew. UI thread only; no toolkit.
 */
final class BlocksModel {
    private static final Duration PACE = Duration.ofMillis(100);

    /** Maps of a process that was not prepared are no closer than this. */
    private static final long WEIGHING_NS = 1_000_000_000L;

    private final Session session;
    private final TaskExecutor executor;
    private final ReadOnlyIntegerProperty device;
    private final ReadOnlyObjectWrapper<Optional<BlocksPicture>> picture =
            new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyObjectWrapper<Optional<PoolsFloor>> floor = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ObjectProperty<LiveColouring> colouring = new SimpleObjectProperty<>(LiveColouring.POOL);
    private MirrorHistory mirror = new MirrorHistory(0);
    private List<Sample> waiting = new ArrayList<>();
    private final TimeCursor cursor;
    private boolean busy;
    private boolean shown;
    /** Whether something else is to be drawn, though no sample came. */
    private boolean redraws;

    private long weighedNs;

    /** What came of samples that were taken in. */
    private record Taken(Optional<BlocksPicture> picture, Optional<PoolsFloor> floor) {}

    /**
     * @param device the device that is looked at
     * @param cursor the instant that is looked at
     */
    BlocksModel(Session session, TaskExecutor executor, ReadOnlyIntegerProperty device, TimeCursor cursor) {
        this.session = session;
        this.executor = executor;
        this.device = device;
        this.cursor = cursor;
        session.addSampleListener(sample -> {
            waiting.add(sample);
            work();
        });
        session.attachedProperty().addListener((property, before, now) -> begin());
        device.addListener((property, before, now) -> begin());
        cursor.heldProperty().addListener((property, before, now) -> redraw());
        colouring.addListener((property, before, now) -> redraw());
    }

    /** The newest picture; empty before the first. */
    ReadOnlyObjectProperty<Optional<BlocksPicture>> pictureProperty() {
        return picture.getReadOnlyProperty();
    }

    /** What Lacuna's pools would reserve for what a process that was not prepared holds; empty where no map was ever told. */
    ReadOnlyObjectProperty<Optional<PoolsFloor>> floorProperty() {
        return floor.getReadOnlyProperty();
    }

    ObjectProperty<LiveColouring> colouringProperty() {
        return colouring;
    }

    /** Whether anybody looks: only then are pictures made. */
    void show(boolean now) {
        shown = now;
        redraw();
    }

    private void redraw() {
        redraws = true;
        work();
    }

    private void begin() {
        mirror = new MirrorHistory(device.get());
        waiting = new ArrayList<>();
        picture.set(Optional.empty());
        floor.set(Optional.empty());
        weighedNs = 0;
    }

    private void work() {
        if (busy || waiting.isEmpty() && !redraws) {
            return;
        }
        busy = true;
        OptionalLong held = cursor.heldProperty().get();
        // While it is held the same picture would come out again.
        boolean draws = shown && (redraws || held.isEmpty());
        redraws = false;
        MirrorHistory to = mirror;
        List<Sample> samples = waiting;
        LiveColouring by = colouring.get();
        waiting = new ArrayList<>();
        boolean weighs = weighs(samples);
        executor.execute(BackgroundTask.of(() -> take(to, samples, draws, weighs, by, held))
                .onSuccess(done -> {
                    if (to == mirror
                            && draws
                            && held.equals(cursor.heldProperty().get())) {
                        picture.set(done.picture());
                    }
                    // While it grows the map is behind the counters for a moment: the last one counts.
                    if (to == mirror && done.floor().isPresent()) {
                        floor.set(done.floor());
                    }
                })
                .onFinished(() -> executor.after(PACE, () -> {
                    busy = false;
                    work();
                })));
    }

    /** Whether it is time to ask what pools would come to: of a process that has none, as often as its map can change. */
    private boolean weighs(List<Sample> samples) {
        if (samples.isEmpty()
                || session.attachedProperty()
                        .get()
                        .filter(TrainingProcess::isStock)
                        .isEmpty()) {
            return false;
        }
        long nowNs = samples.get(samples.size() - 1).monotonicNs();
        boolean due = nowNs - weighedNs >= WEIGHING_NS;
        weighedNs = due ? nowNs : weighedNs;
        return due;
    }

    /** Takes in all samples; the picture is empty where nothing was to be drawn, and where the instant is no longer kept. */
    private static Taken take(
            MirrorHistory mirror,
            List<Sample> samples,
            boolean draws,
            boolean weighs,
            LiveColouring by,
            OptionalLong held) {
        for (Sample sample : samples) {
            mirror.add(sample.monotonicNs(), sample.lostEvents(), sample.events(), sample.devices());
        }
        Optional<PoolsFloor> floor = weighs ? PoolsFloor.of(mirror.picture()) : Optional.empty();
        if (!draws) {
            return new Taken(Optional.empty(), floor);
        }
        Optional<LiveBlocks> blocks = held.isPresent() ? mirror.at(held.getAsLong()) : Optional.of(mirror.picture());
        return new Taken(blocks.map(known -> BlocksPicture.of(known, by)), floor);
    }
}
