package dev.lacuna.ui.places.live;

import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.DeviceSummary;
import dev.lacuna.bridge.GuardFigures;
import dev.lacuna.bridge.ProcessRecording;
import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.Reply;
import dev.lacuna.bridge.Sample;
import dev.lacuna.bridge.SampleListener;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.bridge.TrainingProcesses;
import dev.lacuna.bridge.recording.FileRecording;
import dev.lacuna.core.base.counters.Backend;
import dev.lacuna.core.base.counters.CacheByRules;
import dev.lacuna.core.base.counters.DeviceName;
import dev.lacuna.core.base.counters.GapParts;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.Phase;
import dev.lacuna.core.base.counters.PoolName;
import dev.lacuna.core.base.counters.PoolPolicy;
import dev.lacuna.core.base.counters.PoolUsage;
import dev.lacuna.core.base.counters.SafeBasis;
import dev.lacuna.core.base.counters.SafeLimit;
import dev.lacuna.core.base.counters.SwapCounters;
import dev.lacuna.core.base.counters.SwitchPrices;
import dev.lacuna.core.base.event.EventKind;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Test data that looks like training: a step is a hill of activations over a floor of parameters, its height varies, the
 * stock policy keeps growing and splitting, the segregated one stays close. Steps, events and settings are consistent.
 */
final class GeneratedTraining implements TrainingProcesses, AttachedProcess {
    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;
    static final long TOTAL = 8 * GIB;
    private static final long FLOOR = 2662 * MIB;
    private static final long STEP_NS = 320_000_000L;
    private static final int MOVES_A_STEP = 2000;
    private static final long BLOCK = 3 * MIB - 700;
    private static final long BLOCK_ROUNDED = 3 * MIB - 512;

    private final Random random = new Random(7);
    private final TrainingProcess process;
    private long nowNs = 1_000_000_000_000L;
    private long sequence;
    private long step;
    private long stepStartNs = nowNs;
    private int moves;
    private int height = 1000;
    private int live;
    private long reserved = FLOOR;
    private long peakAllocated = FLOOR;
    private long peakReserved = FLOOR;
    private long stepPeakAllocated = FLOOR;
    private long stepPeakReserved = FLOOR;
    private long lastPeakAllocated;
    private OptionalLong pinnedLowestSafe = OptionalLong.empty();
    private long lastPeakReserved;
    private PoolPolicy policy = PoolPolicy.SEGREGATED;
    private boolean optimisation;
    private double fraction = 1;
    private EventBatch batch = new EventBatch();

    GeneratedTraining() {
        process = new TrainingProcess(
                48213,
                991,
                Instant.now(),
                "/usr/bin/python3 -m lacuna /home/me/work/train_gpt.py --layers 24",
                List.of(new DeviceSummary(0, new DeviceName(Backend.VIRTUAL, 0), TOTAL)),
                true,
                ProcessState.RUNNING,
                Path.of("/run/user/1000/lacuna/48213-991.mem"));
    }

    /** Trains for so long without anybody looking. */
    synchronized void advance(Duration time) {
        long until = nowNs + time.toNanos();
        while (nowNs < until) {
            nowNs = Math.min(until, nowNs + 10_000_000);
            train();
        }
    }

    @Override
    public synchronized Sample sample() {
        Sample sample = new Sample(
                System.currentTimeMillis(),
                nowNs,
                process.pid(),
                ProcessState.RUNNING,
                List.of(counters()),
                batch.build(sequence),
                0);
        sequence += batch.size();
        batch = new EventBatch();
        return sample;
    }

    @Override
    public AutoCloseable subscribe(Duration interval, SampleListener listener) {
        ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread t = new Thread(work, "generated-training");
            t.setDaemon(true);
            return t;
        });
        long period = Math.min(33, interval.toMillis());
        thread.scheduleAtFixedRate(
                () -> {
                    advance(Duration.ofMillis(period));
                    listener.onSample(sample());
                },
                0,
                period,
                TimeUnit.MILLISECONDS);
        return thread::shutdownNow;
    }

    /** The lowest safe cap from now on, instead of one that every step moves. */
    synchronized void pinLowestSafe(long bytes) {
        pinnedLowestSafe = OptionalLong.of(bytes);
    }

    private long lowestSafe() {
        return pinnedLowestSafe.orElse(lastPeakAllocated);
    }

    @Override
    public synchronized Reply apply(Change change) {
        long cap = (long) (change.fraction().orElse(fraction) * TOTAL);
        if (!change.force() && cap < lowestSafe()) {
            return new Reply.Refused(
                    Reply.WOULD_FAIL,
                    "the cap lies below the peak of the last step",
                    Optional.of(new GuardFigures(
                            OptionalDouble.of((double) lowestSafe() / TOTAL),
                            OptionalLong.of(lowestSafe()),
                            Optional.of(SafeBasis.VARYING),
                            OptionalLong.of(4))));
        }
        change.optimisation().ifPresent(on -> {
            optimisation = on;
            batch.add(nowNs, EventKind.OPTIMISATION, on ? 1 : 0);
        });
        change.policy().ifPresent(rules -> policy = rules);
        change.fraction().ifPresent(f -> {
            fraction = f;
            batch.add(nowNs, EventKind.LIMIT, (long) (f * TOTAL));
        });
        return new Reply.Applied(optimisation, fraction, (long) (fraction * TOTAL), Map.of(), Map.of(), 0);
    }

    @Override
    public TrainingProcess process() {
        return process;
    }

    @Override
    public Optional<String> lastOutOfMemory() {
        return Optional.empty();
    }

    @Override
    public void close() {}

    @Override
    public List<TrainingProcess> living() {
        return List.of(process);
    }

    @Override
    public List<TrainingProcess> blackBoxes() {
        return List.of();
    }

    @Override
    public ProcessRecording record(TrainingProcess process, java.nio.file.Path target) throws java.io.IOException {
        return FileRecording.start(open(process), target);
    }

    @Override
    public AttachedProcess attach(long pid) {
        return this;
    }

    @Override
    public AttachedProcess open(TrainingProcess other) {
        return this;
    }

    private void train() {
        while (true) {
            long due = stepStartNs + moves * STEP_NS / MOVES_A_STEP;
            if (due > nowNs) {
                return;
            }
            move(due);
            moves++;
            if (moves == MOVES_A_STEP) {
                endStep(due);
            }
        }
    }

    private void move(long at) {
        int half = MOVES_A_STEP / 2;
        if (moves == 0) {
            batch.add(at, EventKind.PHASE, 2L * Phase.STEP.ordinal() + 1);
        }
        if (moves < half && live < height) {
            live++;
            batch.add(at, EventKind.ALLOC, BLOCK);
            grow(at);
        } else if (moves >= half && live > 0) {
            live--;
            batch.add(at, EventKind.FREE, BLOCK);
        }
        peakAllocated = Math.max(peakAllocated, allocated());
        peakReserved = Math.max(peakReserved, reserved);
        stepPeakAllocated = Math.max(stepPeakAllocated, allocated());
        stepPeakReserved = Math.max(stepPeakReserved, reserved);
    }

    private void grow(long at) {
        double spread = optimisation ? 1.02 : 1.06 + 0.22 * Math.min(1, step / 150.0);
        long wanted = (long) (allocated() * spread);
        if (reserved < wanted) {
            long by = ((wanted - reserved) / (20 * MIB) + 1) * 20 * MIB;
            reserved += by;
            batch.add(at, EventKind.GROW, by, optimisation ? PoolName.SHORT_LARGE : PoolName.STOCK_LARGE);
        }
    }

    private void endStep(long at) {
        batch.add(at, EventKind.PHASE, 2L * Phase.STEP.ordinal());
        batch.add(at, EventKind.STEP, ++step);
        stepStartNs = at;
        moves = 0;
        lastPeakAllocated = stepPeakAllocated;
        lastPeakReserved = stepPeakReserved;
        height = 700 + random.nextInt(300);
        long keep = (long) (stepPeakAllocated * 1.02);
        if (optimisation && reserved > keep + 200 * MIB) {
            batch.add(at, EventKind.RELEASE, reserved - keep, PoolName.STOCK_LARGE);
            reserved = keep;
        }
        stepPeakAllocated = allocated();
        stepPeakReserved = reserved;
    }

    private long allocated() {
        return FLOOR + live * BLOCK_ROUNDED;
    }

    private MemoryCounters counters() {
        long allocated = allocated();
        long gap = reserved - allocated;
        long split = Math.min(gap, (long) (reserved * (optimisation ? 0.02 : 0.2)));
        long shortLive = allocated - FLOOR;
        List<PoolUsage> pools = optimisation
                ? List.of(
                        new PoolUsage(PoolName.LONG_LARGE, FLOOR - 60 * MIB, FLOOR - 80 * MIB),
                        new PoolUsage(
                                PoolName.SHORT_LARGE, reserved - FLOOR - 50 * MIB, Math.max(0, shortLive - 24 * MIB)),
                        new PoolUsage(PoolName.SHORT_SMALL, 110 * MIB, 104 * MIB))
                : List.of(
                        new PoolUsage(PoolName.STOCK_LARGE, reserved - 90 * MIB, allocated - 80 * MIB),
                        new PoolUsage(PoolName.STOCK_SMALL, 90 * MIB, 80 * MIB));
        return new MemoryCounters(
                nowNs,
                0,
                Backend.VIRTUAL,
                0,
                TOTAL,
                reserved,
                allocated,
                FLOOR - 9 * MIB + live * BLOCK,
                allocated,
                (long) (fraction * TOTAL),
                fraction,
                optimisation,
                policy,
                Set.of(Phase.STEP),
                step,
                new GapParts(gap - split, split, 0),
                491 * MIB,
                pools,
                peakAllocated,
                peakReserved,
                step > 0 ? OptionalLong.of(lastPeakAllocated) : OptionalLong.empty(),
                step > 0 ? OptionalLong.of(lastPeakReserved) : OptionalLong.empty(),
                1000,
                900,
                0,
                0,
                optimisation ? 40 : 0,
                optimisation ? 3 : 0,
                42,
                step > 0 ? OptionalLong.of(STEP_NS + random.nextInt(4_000_000)) : OptionalLong.empty(),
                new SafeLimit(lowestSafe(), SafeBasis.VARYING, 0, 4),
                SwapCounters.NONE,
                Optional.of(new CacheByRules(
                        optimisation ? 0 : gap - split, 0, optimisation ? gap - split : 0, SwitchPrices.UNKNOWN)));
    }
}
