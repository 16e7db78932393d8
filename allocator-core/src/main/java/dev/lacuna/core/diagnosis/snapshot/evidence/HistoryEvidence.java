package dev.lacuna.core.diagnosis.snapshot.evidence;

import dev.lacuna.core.base.counters.PoolName;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.model.Thresholds;
import dev.lacuna.core.history.Redaction;
import dev.lacuna.core.history.attribution.TellingFrame;
import dev.lacuna.core.history.model.DeviceFigures;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.MemoryAtMoment;
import dev.lacuna.core.trace.snapshot.model.CallStacks;
import dev.lacuna.core.trace.snapshot.model.Frame;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What rules look at: the recording, what several of them need of it, and how names are written. Not thread-safe. */
public final class HistoryEvidence {
    private static final long LARGEST_ROUNDING = 64L << 20;
    private final DeviceHistory history;
    private final List<Integer> steps;
    private final Redaction redaction;
    private final Thresholds thresholds;
    private final Levels levels;
    private final Map<Integer, Occupancy> occupancies = new HashMap<>();
    private final int lastOom;

    public HistoryEvidence(DeviceHistory history, List<Integer> steps, Redaction redaction, Thresholds thresholds) {
        this.history = history;
        this.steps = steps;
        this.redaction = redaction;
        this.thresholds = thresholds;
        this.levels = Levels.of(history);
        this.lastOom = lastOom(history);
    }

    public DeviceHistory history() {
        return history;
    }

    /** The moments at which steps begin; empty where the recording marks none. */
    public List<Integer> steps() {
        return steps;
    }

    /** What counts as much. */
    public Thresholds thresholds() {
        return thresholds;
    }

    public Levels levels() {
        return levels;
    }

    /** The last moment that matters: just before the last out-of-memory failure, else the end. */
    public int lastMoment() {
        return lastOom >= 0 ? lastOom : history.size();
    }

    /** The event of the last out-of-memory failure, or −1. */
    public int lastOomEvent() {
        return lastOom;
    }

    /**
     * Whether the device alone had room for what failed at this event, and for the largest segment that it may have needed: then it
     * was no want of memory that refused it, but a cap on the process, or the driver.
     */
    public boolean deviceHadRoom(int oomEvent) {
        long free = history.address(oomEvent); // An OOM entry has the device's free bytes in the place of an address.
        return free - LARGEST_ROUNDING >= history.bytes(oomEvent);
    }

    /** Segments and blocks at this moment. */
    public Occupancy occupancy(int moment) {
        return occupancies.computeIfAbsent(moment, k -> Occupancy.at(history, k));
    }

    /**
     * The device's memory at the last moment, by the books that its figures are from: those of the file's segments where they reach to the same moment,
     * else those of the blocks.
     */
    public MemoryAtMoment lastMemory() {
        MemoryAtMoment listed = occupancy(lastMoment()).totals();
        return filesOwn(listed)
                .map(f -> new MemoryAtMoment(
                        listed.moment(), f.reservedBytes(), f.allocatedBytes(), f.requestedBytes(), f.gap()))
                .orElse(listed);
    }

    /** Bytes that segments of the file count as allocated at the end and no block does, or the other way round: nobody knows where they lie. */
    public long unlistedBytes() {
        MemoryAtMoment listed = occupancy(history.size()).totals();
        return figuresOf(listed)
                .map(f -> Math.abs(f.allocatedBytes() - listed.allocated()))
                .orElse(0L);
    }

    private Optional<DeviceFigures> filesOwn(MemoryAtMoment listed) {
        return listed.moment() == history.size() ? figuresOf(listed) : Optional.empty();
    }

    /** Of a file that was cut the figures may be of a later moment than its last event. */
    private Optional<DeviceFigures> figuresOf(MemoryAtMoment end) {
        DeviceFigures figures = history.figures();
        return figures.reservedBytes() == end.reserved() ? Optional.of(figures) : Optional.empty();
    }

    /** Whether the recording shows segments that grow in place. */
    boolean expands() {
        return occupancy(lastMoment()).expands();
    }

    /** Whether Lacuna's optimisation was on at the last moment: its agent names the pool of every block. */
    boolean optimised() {
        for (int i = Math.min(lastMoment(), history.size()) - 1; i >= 0; i--) {
            if (history.action(i) == EventKind.ALLOC) {
                return history.agentPool(i).filter(PoolName::segregated).isPresent();
            }
        }
        return false;
    }

    /** The line that tells whose a stack is. */
    public Text.Argument place(int stack) {
        List<Frame> frames = stack < 0 || stack == CallStacks.EMPTY
                ? List.of()
                : history.stacks().stack(stack);
        return TellingFrame.of(frames)
                .map(frame -> Text.word(place(frame)))
                .orElseGet(() -> Text.text(Text.of("finding.no-stack")));
    }

    /** Paths are long, and the last name of one tells enough in a sentence. */
    private String place(Frame frame) {
        return redaction
                .frame(redaction.redacts() ? frame : TellingFrame.brief(frame))
                .replaceAll("  +", " · ");
    }

    public Text.Argument address(long address) {
        return Text.word(redaction.address(address));
    }

    public static Text.Argument count(long number) {
        return Text.count(number);
    }

    public static Text.Argument percent(long part, long whole) {
        return Text.word(String.format(Locale.ROOT, "%.0f %%", whole == 0 ? 0.0 : 100.0 * part / whole));
    }

    private static int lastOom(DeviceHistory history) {
        int last = -1;
        for (int i = 0; i < history.size(); i++) {
            last = history.action(i) == EventKind.OOM ? i : last;
        }
        return last;
    }
}
