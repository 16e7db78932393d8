package dev.lacuna.ui.places.recording.map;

import dev.lacuna.core.base.counters.PoolName;
import dev.lacuna.core.history.attribution.LifetimeClass;
import dev.lacuna.core.history.attribution.LifetimeClasses;
import dev.lacuna.core.history.attribution.RecordedSteps;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.HistoryAnnotation;
import dev.lacuna.core.history.model.Moment;
import dev.lacuna.core.trace.snapshot.model.PoolId;
import dev.lacuna.ui.blockmap.BlockTones;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The tones of one device's blocks. Pools and streams keep the tone that they were first given, so that colours do not
 * jump from moment to moment. Used by one thread at a time.
 */
final class BlockColours {
    /**
     * A pool of a pair, small or large.
     *
     * @param lived which of two lifetimes the agent expected of the blocks that it put there; empty where no pool of it does
     */
    record Pool(PoolId pair, boolean large, Optional<LifetimeClass> lived) {}

    private final DeviceHistory history;
    private final LifetimeClasses lifetimes;
    private final List<Pool> pools = new ArrayList<>();
    private final List<Long> streams = new ArrayList<>();

    private BlockColours(DeviceHistory history, LifetimeClasses lifetimes) {
        this.history = history;
        this.lifetimes = lifetimes;
    }

    /** The colours of a device, its lifetimes by the steps that are marked. */
    static BlockColours of(DeviceHistory history, List<HistoryAnnotation> annotations) {
        return new BlockColours(history, LifetimeClasses.of(history, RecordedSteps.of(annotations, history.device())));
    }

    /** Pools in the order of their tones. */
    List<Pool> pools() {
        return List.copyOf(pools);
    }

    /** Streams in the order of their tones. */
    List<Long> streams() {
        return List.copyOf(streams);
    }

    LifetimeClasses lifetimes() {
        return lifetimes;
    }

    int tone(Colouring by, Moment moment, int segment, int allocation) {
        return switch (by) {
            case STATE -> BlockTones.ALLOCATED;
            case LIFETIME ->
                switch (lifetimes.of(allocation)) {
                    case SHORT -> BlockTones.SHORT;
                    case LONG -> BlockTones.LONG;
                    case THROUGH -> BlockTones.PLAIN;
                };
            case POOL -> BlockTones.category(number(pools, pool(history, moment, segment, allocation)));
            case STREAM -> BlockTones.category(number(streams, history.streamOf(allocation)));
            case AGE -> BlockTones.step(ageStep(moment.event() - history.bornAt(allocation)));
            case SIZE -> BlockTones.step(BlockTones.sizeStep(history.bytesOf(allocation)));
        };
    }

    /** Ages on a scale that grows by the same factor from step to step, up to the whole recording. */
    private int ageStep(int events) {
        double share = Math.log(1.0 + Math.max(0, events)) / Math.log(2.0 + history.size());
        return (int) (share * BlockTones.SCALE);
    }

    /** The pool of a block, or of the hole (allocation NONE) in a segment. */
    static Pool pool(DeviceHistory history, Moment moment, int segment, int allocation) {
        Optional<LifetimeClass> lived = allocation == Moment.NONE
                ? Optional.empty()
                : history.agentPoolOf(allocation).flatMap(BlockColours::lived);
        return new Pool(moment.segments().pool(segment), moment.segments().large(segment), lived);
    }

    private static Optional<LifetimeClass> lived(PoolName pool) {
        return switch (pool) {
            case STOCK_SMALL, STOCK_LARGE -> Optional.empty();
            case SHORT_SMALL, SHORT_LARGE -> Optional.of(LifetimeClass.SHORT);
            case LONG_SMALL, LONG_LARGE -> Optional.of(LifetimeClass.LONG);
        };
    }

    private static <T> int number(List<T> known, T thing) {
        int at = known.indexOf(thing);
        if (at < 0) {
            known.add(thing);
            return known.size() - 1;
        }
        return at;
    }
}
