package dev.lacuna.ui.fakes;

import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.CacheEmptied;
import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.Compaction;
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
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.event.MemoryEvents;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A process that sends what a test tells it to, and remembers what was asked of it. */
public final class FakeAttachedProcess implements AttachedProcess {
    private Compaction compaction = new Compaction(Compaction.State.ASKED, false, 0, 0, 0, 0, 0, Map.of());
    private final TrainingProcess process;
    private final List<SampleListener> listeners = new ArrayList<>();
    private final List<Change> asked = new ArrayList<>();
    private final FakeSwapControl swapping = new FakeSwapControl();
    private final FakeStockControl stock = new FakeStockControl();
    private List<MemoryCounters> counters = List.of(Counters.ofADevice().build());
    private String outOfMemory = "";
    private Ending ending = new Ending.Unknown();
    private Answer<NamedPhases> phases = new Answer.Given<>(new NamedPhases(true, List.of()));
    private Optional<Reply> nextReply = Optional.empty();
    private Optional<BridgeException> nextFault = Optional.empty();
    private boolean leavable;
    private boolean left;
    private long lost;
    private int open;

    FakeAttachedProcess(TrainingProcess process) {
        this.process = process;
    }

    FakeAttachedProcess opened() {
        open++;
        return this;
    }

    /** So many of its events were overwritten before they could be read. */
    public void loses(long events) {
        lost = events;
    }

    /** How often it is open now. */
    public int open() {
        return open;
    }

    /** What it answers where it was not prepared. */
    public FakeStockControl stockControl() {
        return stock;
    }

    @Override
    public Optional<StockControl> stock() {
        return process.isStock() ? Optional.of(stock) : Optional.empty();
    }

    /** What it says of its phases from now on. */
    public void phases(Answer<NamedPhases> now) {
        phases = now;
    }

    @Override
    public Answer<NamedPhases> phases(int device) {
        return phases;
    }

    /** Its agent came while it ran, and goes when it is told to. */
    public void wasTakenOver() {
        leavable = true;
    }

    /** Whether it was told to. */
    public boolean isLeft() {
        return left;
    }

    @Override
    public boolean canBeLeft() {
        return leavable;
    }

    @Override
    public Answer<Long> leave() {
        left = leavable;
        return leavable ? new Answer.Given<>(0L) : new Answer.Refused<>("cannot", "it was started so");
    }

    /** What it says of compaction from now on. */
    public void compacts(Compaction now) {
        compaction = now;
    }

    @Override
    public Optional<CompactionControl> compaction() {
        return Optional.of(new CompactionControl() {
            @Override
            public Answer<Boolean> ask(int device, boolean atOnce) {
                return new Answer.Given<>(true);
            }

            @Override
            public Answer<Compaction> state(int device) {
                return new Answer.Given<>(compaction);
            }
        });
    }

    @Override
    public Answer<CacheEmptied> emptyCache(int device, boolean force) {
        return new Answer.Given<>(
                new CacheEmptied(Map.of("reserved_bytes", 3L << 30), Map.of("reserved_bytes", 2L << 30)));
    }

    /** Its swapping. */
    public FakeSwapControl swapControl() {
        return swapping;
    }

    /** Changes that reached it. */
    public List<Change> asked() {
        return asked;
    }

    /** What it answers next, instead of accepting. */
    public void reply(Reply reply) {
        nextReply = Optional.of(reply);
    }

    /** What keeps it from answering the next change. */
    public void failNext(BridgeException fault) {
        nextFault = Optional.of(fault);
    }

    /** How it is found to have ended. */
    public void ending(Ending how) {
        ending = how;
    }

    @Override
    public Ending ending() {
        return ending;
    }

    public void outOfMemory(String message) {
        outOfMemory = message;
    }

    /** Its counters from now on. */
    public void counters(MemoryCounters... now) {
        counters = List.of(now);
    }

    /** Sends a sample of its counters at this moment, with these events. */
    public void send(long monotonicNs, MemoryEvents events) {
        Sample sample = new Sample(0, monotonicNs, process.pid(), ProcessState.RUNNING, counters, events, lost);
        List.copyOf(listeners).forEach(listener -> listener.onSample(sample));
    }

    /** Sends a sample of its counters at this moment. */
    public void send(long monotonicNs, ProcessState state) {
        Sample sample = new Sample(0, monotonicNs, process.pid(), state, counters, MemoryEvents.NONE, lost);
        List.copyOf(listeners).forEach(listener -> listener.onSample(sample));
    }

    /** Reading breaks. */
    public void breakWith(BridgeException fault) {
        List.copyOf(listeners).forEach(listener -> listener.onFailure(fault));
    }

    /** How many read it. */
    public int readers() {
        return listeners.size();
    }

    @Override
    public TrainingProcess process() {
        return process;
    }

    @Override
    public Sample sample() {
        return new Sample(
                0, counters.get(0).timeNs(), process.pid(), process.state(), counters, MemoryEvents.NONE, lost);
    }

    @Override
    public AutoCloseable subscribe(Duration interval, SampleListener listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    @Override
    public Reply apply(Change change) throws BridgeException {
        asked.add(change);
        if (nextFault.isPresent()) {
            BridgeException fault = nextFault.get();
            nextFault = Optional.empty();
            throw fault;
        }
        Reply reply = nextReply.orElseGet(() -> new Reply.Applied(
                change.optimisation().orElse(counters.get(0).optimisation()),
                change.fraction().orElse(counters.get(0).fraction()),
                counters.get(0).limitBytes(),
                Map.of(),
                Map.of(),
                0));
        nextReply = Optional.empty();
        return reply;
    }

    @Override
    public Optional<SwapControl> swapping() {
        return Optional.of(swapping);
    }

    @Override
    public Optional<String> lastOutOfMemory() {
        return outOfMemory.isEmpty() ? Optional.empty() : Optional.of(outOfMemory);
    }

    @Override
    public void close() {
        open--;
    }
}
