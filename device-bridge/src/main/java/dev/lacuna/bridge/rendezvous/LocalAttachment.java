package dev.lacuna.bridge.rendezvous;

import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.BridgeException.Reason;
import dev.lacuna.bridge.CacheEmptied;
import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.CompactionControl;
import dev.lacuna.bridge.Ending;
import dev.lacuna.bridge.NamedPhases;
import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.Reply;
import dev.lacuna.bridge.Sample;
import dev.lacuna.bridge.SampleListener;
import dev.lacuna.bridge.StockControl;
import dev.lacuna.bridge.SwapControl;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.bridge.control.AgentControl;
import dev.lacuna.bridge.process.LinuxProcesses;
import dev.lacuna.bridge.wire.CounterReading;
import dev.lacuna.bridge.wire.EventCursor;
import dev.lacuna.bridge.wire.TelemetryFile;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.event.MemoryEvents;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A telemetry file of this machine, and the control socket beside it. One mapping serves every reader of the attachment. */
final class LocalAttachment implements AttachedProcess {
    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(10);

    /** How often a stopped process is looked at while a command waits for it. */
    private static final long STOPPED_PAUSE_MS = 20;

    private final TrainingProcess process;
    private final TelemetryFile file;
    private final Seen seen;
    private final AgentControl control;
    private final EventCursor ownCursor;
    private final Following following;
    private final Staying staying;
    private final Set<Subscription> subscriptions = ConcurrentHashMap.newKeySet();
    private final Map<Integer, MemoryCounters> lastWhole = new ConcurrentHashMap<>();

    /** What is found out beside the file: how the process is doing, and how it ended. */
    interface Seen {
        /** How the process is doing, as the kernel or its socket tells. */
        ProcessState state();

        /** How it ended. */
        Ending ending() throws BridgeException;
    }

    LocalAttachment(TrainingProcess process, TelemetryFile file, Seen seen, AgentControl control)
            throws BridgeException {
        this.process = process;
        this.file = file;
        this.seen = seen;
        this.control = control;
        this.ownCursor = file.cursor();
        this.following = new Following(control::follow, Sampler.SHARED::soon, System::nanoTime);
        this.staying = new Staying(
                process.isStock() && process.control(), control::stay, Sampler.SHARED::soon, System::nanoTime);
    }

    @Override
    public TrainingProcess process() {
        return process;
    }

    @Override
    public Sample sample() throws BridgeException {
        return sample(ownCursor);
    }

    @Override
    public AutoCloseable subscribe(Duration interval, SampleListener listener) {
        if (interval.compareTo(SHORTEST_INTERVAL) < 0) {
            throw new IllegalArgumentException("the shortest interval is 10 ms, not " + interval.toMillis());
        }
        Subscription subscription = new Subscription(new OwnPlace(), listener);
        subscriptions.add(subscription);
        subscription.start(Sampler.SHARED, interval);
        return () -> {
            subscription.close();
            subscriptions.remove(subscription);
        };
    }

    @Override
    public Reply apply(Change change) throws BridgeException {
        awaitRunning();
        return control.apply(change);
    }

    @Override
    public Optional<SwapControl> swapping() {
        return process.control() && !process.isStock() ? Optional.of(control.swapping()) : Optional.empty();
    }

    @Override
    public Optional<CompactionControl> compaction() {
        return process.control() && !process.isStock() ? Optional.of(control.compaction()) : Optional.empty();
    }

    @Override
    public Optional<StockControl> stock() {
        return process.control() && process.isStock() ? Optional.of(control.stock()) : Optional.empty();
    }

    @Override
    public Answer<CacheEmptied> emptyCache(int device, boolean force) throws BridgeException {
        awaitRunning();
        return control.emptyCache(device, force && process.isStock());
    }

    @Override
    public Answer<NamedPhases> phases(int device) throws BridgeException {
        return process.control() ? control.phases(device) : AttachedProcess.super.phases(device);
    }

    @Override
    public boolean canBeLeft() throws BridgeException {
        return process.control() && !process.isStock() && control.canBeLeft();
    }

    @Override
    public Answer<Long> leave() throws BridgeException {
        awaitRunning();
        return process.control() && !process.isStock() ? control.leave() : AttachedProcess.super.leave();
    }

    @Override
    public Optional<String> lastOutOfMemory() throws BridgeException {
        return file.lastOutOfMemory();
    }

    @Override
    public Ending ending() throws BridgeException {
        return seen.ending();
    }

    @Override
    public void close() {
        subscriptions.forEach(Subscription::close);
        subscriptions.clear();
        file.close();
    }

    /** A subscription's own place in the event ring, found when the first sample is read. */
    private final class OwnPlace implements Subscription.Source {
        private Optional<EventCursor> cursor = Optional.empty();
        private long lost;

        @Override
        public Sample read() throws BridgeException {
            if (cursor.isEmpty()) {
                cursor = Optional.of(file.cursor());
            }
            Sample sample = sample(cursor.get());
            if (process.control() && sample.state() == ProcessState.RUNNING) {
                if (sample.lostEvents() > lost && following.missed()) {
                    lost = sample.lostEvents();
                }
                following.watch(sample.devices());
            }
            return sample;
        }
    }

    private Sample sample(EventCursor cursor) throws BridgeException {
        staying.now();
        // The state comes first: when it says GONE, what is read after it is final.
        ProcessState state = state();
        List<MemoryCounters> devices = new ArrayList<>();
        boolean torn = false;
        for (CounterReading reading : file.counters()) {
            CounterReading best = best(reading, state);
            devices.add(best.counters());
            torn |= best.torn();
        }
        synchronized (cursor) {
            MemoryEvents events = file.next(cursor);
            return new Sample(
                    System.currentTimeMillis(),
                    LinuxProcesses.monotonicNs(),
                    process.pid(),
                    state,
                    devices,
                    events,
                    cursor.lost(),
                    cursor.unknown(),
                    torn);
        }
    }

    /**
     * Of a process that stands still in the middle of a write the last whole record is the better answer; of a dead one
     * the torn record is the last word there will ever be.
     */
    private CounterReading best(CounterReading reading, ProcessState state) {
        MemoryCounters read = reading.counters();
        if (!reading.torn()) {
            lastWhole.put(read.device(), read);
            return reading;
        }
        MemoryCounters last = lastWhole.get(read.device());
        return state == ProcessState.GONE || last == null ? reading : new CounterReading(last, false);
    }

    private ProcessState state() throws BridgeException {
        ProcessState state = seen.state();
        return file.agentExited() || file.replaced() ? ProcessState.GONE : state;
    }

    /** A command to a stopped process would lie in its socket and take effect when nobody expects it any more. */
    private void awaitRunning() throws BridgeException {
        long deadline = System.nanoTime() + AgentControl.PATIENCE.toNanos();
        while (true) {
            switch (state()) {
                case RUNNING:
                    return;
                case GONE:
                    throw new BridgeException(Reason.GONE, "process " + process.id() + " has ended");
                case STOPPED:
                    if (System.nanoTime() >= deadline || !slept()) {
                        throw new BridgeException(
                                Reason.TIMED_OUT,
                                "process " + process.id() + " is stopped (continue it with: kill -CONT " + process.pid()
                                        + "); nothing was sent");
                    }
            }
        }
    }

    private static boolean slept() {
        try {
            Thread.sleep(STOPPED_PAUSE_MS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
