package dev.lacuna.ui.places.live;

import dev.lacuna.bridge.Sample;
import dev.lacuna.core.history.mirror.BlockMirror;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.task.BackgroundTask;
import dev.lacuna.ui.task.TaskExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

    private final TaskExecutor executor;
    private final ReadOnlyIntegerProperty device;
    private final ReadOnlyObjectWrapper<Optional<BlocksPicture>> picture =
            new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ObjectProperty<LiveColouring> colouring = new SimpleObjectProperty<>(LiveColouring.POOL);
    private BlockMirror mirror = new BlockMirror(0);
    private List<Sample> waiting = new ArrayList<>();
    private boolean busy;
    private boolean shown;

    /** @param device the device that is looked at */
    BlocksModel(Session session, TaskExecutor executor, ReadOnlyIntegerProperty device) {
        this.executor = executor;
        this.device = device;
        session.addSampleListener(sample -> {
            waiting.add(sample);
            work();
        });
        session.attachedProperty().addListener((property, before, now) -> begin());
        device.addListener((property, before, now) -> begin());
    }

    /** The newest picture; empty before the first. */
    ReadOnlyObjectProperty<Optional<BlocksPicture>> pictureProperty() {
        return picture.getReadOnlyProperty();
    }

    ObjectProperty<LiveColouring> colouringProperty() {
        return colouring;
    }

    /** Whether anybody looks: only then are pictures made. */
    void show(boolean now) {
        shown = now;
    }

    private void begin() {
        mirror = new BlockMirror(device.get());
        waiting = new ArrayList<>();
        picture.set(Optional.empty());
    }

    private void work() {
        if (busy || waiting.isEmpty()) {
            return;
        }
        busy = true;
        BlockMirror to = mirror;
        List<Sample> samples = waiting;
        LiveColouring by = colouring.get();
        boolean draws = shown;
        waiting = new ArrayList<>();
        executor.execute(BackgroundTask.of(() -> take(to, samples, draws, by))
                .onSuccess(done -> {
                    if (to == mirror && done.isPresent()) {
                        picture.set(done);
                    }
                })
                .onFinished(() -> executor.after(PACE, () -> {
                    busy = false;
                    work();
                })));
    }

    private static Optional<BlocksPicture> take(
            BlockMirror mirror, List<Sample> samples, boolean draws, LiveColouring by) {
        for (Sample sample : samples) {
            mirror.add(sample.monotonicNs(), sample.lostEvents(), sample.events(), sample.devices());
        }
        return draws ? Optional.of(BlocksPicture.of(mirror.picture(), by)) : Optional.empty();
    }
}
