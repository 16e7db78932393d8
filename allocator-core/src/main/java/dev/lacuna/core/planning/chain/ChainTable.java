package dev.lacuna.core.planning.chain;

import dev.lacuna.core.base.Patience;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Times of the fastest schedules of every stretch of a chain at every memory. A row holds what memory changes only: below
 * it nothing fits, above it all that the stretch makes is kept.
 *
 * <p>Of long chains only stretches are looked at that end before a stage on a grid, and short ones: states are then kept
 * on the grid or near where a stretch begins. Each stage can still save what its backward pass needs.
 */
final class ChainTable {
    private static final double NONE = Double.POSITIVE_INFINITY;

    private final ChainProfile chain;
    private final int length;
    private final int slots;
    private final double slotBytes;
    private final int grid;
    private final boolean exact;
    /** Stretches that begin with one stage. */
    private final int width;
    /** By last stage: where long stretches that end with it stand among those of one first stage; -1 where none is looked at. */
    private final int[] ends;
    /** By {@link #place}: times from {@link #least} on, to where more memory changes nothing. */
    private final double[][] time;

    private final int[] least;
    /** By place: slots with which every stage saves. */
    private final int[] full;
    /** By first stage: the most bytes of the forward passes of the stretch that is looked at, without its last stage. */
    private final long[] passing;

    private final double[] forwardUpTo;
    private final double[] own;
    private final int[] output;
    private final int[] saved;
    private long steps;

    /** Counts in bytes of which every size is a multiple, and looks at all stretches. */
    static ChainTable exact(ChainProfile chain, long unitBytes, int units) {
        return new ChainTable(chain, unitBytes, units, 1, true);
    }

    /**
     * Rounds sizes up to slots.
     *
     * @param slots memory is counted from 0 to that many of them
     * @param grid stages from one end of a long stretch to the next; 1 looks at all
     */
    static ChainTable rounded(ChainProfile chain, double slotBytes, int slots, int grid) {
        return new ChainTable(chain, slotBytes, slots, grid, false);
    }

    private ChainTable(ChainProfile chain, double slotBytes, int slots, int grid, boolean exact) {
        this.exact = exact;
        this.chain = chain;
        this.length = chain.length();
        this.slots = slots;
        this.slotBytes = slotBytes;
        this.grid = grid;
        this.width = grid + length / grid + 1;
        this.time = new double[length * width][];
        this.least = new int[length * width];
        this.full = new int[length * width];
        this.passing = new long[length];
        this.ends = new int[length];
        this.own = new double[length];
        this.forwardUpTo = new double[length + 1];
        this.output = new int[length];
        this.saved = new int[length];
        for (int i = 0; i < length; i++) {
            ChainStage stage = chain.stages().get(i);
            forwardUpTo[i + 1] = forwardUpTo[i] + stage.forwardMs();
            own[i] = stage.forwardMs() + stage.backwardMs();
            output[i] = slotsOf(stage.outputBytes());
            saved[i] = slotsOf(stage.savedBytes());
            ends[i] = i == length - 1 ? width - 1 : (i + 1) % grid == 0 ? grid + (i + 1) / grid - 1 : -1;
        }
    }

    /** Stretches that are looked at in a chain of this length. */
    static long stretches(int length, int grid) {
        long all = 0;
        for (int first = 0; first < length; first++) {
            all += length / grid - first / grid + Math.min(grid, length - first);
        }
        return all;
    }

    /** About how many places to part those stretches at there are. */
    static long partings(int length, int grid) {
        long all = 0;
        for (int first = 0; first < length; first++) {
            long ends = length / grid - first / grid + 1L;
            long nearby = Math.min(grid, length - first);
            all += ends * (ends + 1) / 2 + (grid > 1 ? ends * nearby + nearby * nearby / 2 : 0);
        }
        return all;
    }

    /** Works all out; whether there was time for it. */
    boolean fill(Patience patience) {
        for (int reach = 0; reach < length; reach++) {
            for (int first = 0; first + reach < length; first++) {
                pass(first, first + reach - 1);
                if (looksAt(first, first + reach)) {
                    fill(first, first + reach);
                }
            }
            if (patience.isOver()) {
                return false;
            }
        }
        return true;
    }

    /** Whether nothing was rounded or left out. */
    boolean exact() {
        return exact;
    }

    /** How many sums were compared: what filling it took. */
    long steps() {
        return steps;
    }

    private boolean looksAt(int first, int last) {
        return last - first < grid || ends[last] >= 0;
    }

    /** Where a stretch stands in the table. */
    private int place(int first, int last) {
        return first * width + (last - first < grid ? last - first : ends[last]);
    }

    private void pass(int first, int stage) {
        if (stage >= first) {
            ChainStage each = chain.stages().get(stage);
            long input = stage == first ? 0 : chain.inputOf(stage);
            passing[first] = Math.max(passing[first], input + each.outputBytes() + each.forwardExtraBytes());
        }
    }

    private void fill(int first, int last) {
        int at = place(first, last);
        int saving = savingSlots(first, last);
        // Without that many the forward passes of the stretch cannot run one after the other.
        int dropping = slotsOf(passing[first] + chain.stages().get(last).outputBytes());
        full[at] = first == last ? saving : Math.max(saving, saved[first] + full[place(first + 1, last)]);
        int most = Math.min(slots, full[at]);
        double[] row = new double[Math.max(0, most + 1)];
        Arrays.fill(row, NONE);
        save(first, last, saving, row);
        if (dropping <= most) {
            for (int split = first + 1; split <= last; split = nextSplit(first, last, split)) {
                drop(first, last, split, dropping, row);
            }
        }
        keep(at, row);
    }

    /** Where a stretch can be parted so that both parts are looked at. */
    private int nextSplit(int first, int last, int split) {
        int next = split + 1;
        return next - first <= grid || last - first < grid ? next : (next + grid - 1) / grid * grid;
    }

    private void save(int first, int last, int saving, double[] row) {
        if (first == last) {
            Arrays.fill(row, Math.min(saving, row.length), row.length, own[first]);
        } else {
            int next = place(first + 1, last);
            double[] after = time[next];
            int beyond = saved[first] + least[next];
            for (int memory = Math.max(saving, beyond); memory < row.length && after.length > 0; memory++) {
                row[memory] = own[first] + after[Math.min(memory - beyond, after.length - 1)];
            }
        }
        steps += Math.max(0, row.length - saving);
    }

    private void drop(int first, int last, int split, int dropping, double[] row) {
        int kept = output[split - 1];
        int left = place(first, split - 1);
        int right = place(split, last);
        double[] before = time[left];
        double[] after = time[right];
        int from = Math.max(dropping, Math.max(least[left], least[right] + kept));
        if (before.length == 0 || after.length == 0 || from >= row.length) {
            return;
        }
        double forward = forwardUpTo[split] - forwardUpTo[first];
        double best = forward + after[after.length - 1] + before[before.length - 1];
        if (row[from] <= best) {
            return;
        }
        // More memory makes no row slower, so from where the row is as fast as this can be, it stays so.
        int to = firstNotAbove(row, from + 1, best);
        int afterEnds = Math.min(to, least[right] + kept + after.length);
        int beforeEnds = Math.min(to, least[left] + before.length);
        steps += to - from;
        int memory = from;
        for (int end = Math.min(afterEnds, beforeEnds); memory < end; memory++) {
            double sum = forward + after[memory - kept - least[right]] + before[memory - least[left]];
            row[memory] = Math.min(row[memory], sum);
        }
        double saturated = forward + after[after.length - 1];
        for (; memory < beforeEnds; memory++) {
            row[memory] = Math.min(row[memory], saturated + before[memory - least[left]]);
        }
        for (; memory < afterEnds; memory++) {
            double sum = forward + after[memory - kept - least[right]] + before[before.length - 1];
            row[memory] = Math.min(row[memory], sum);
        }
        for (; memory < to; memory++) {
            row[memory] = Math.min(row[memory], best);
        }
    }

    private static int firstNotAbove(double[] row, int from, double value) {
        int low = from;
        int high = row.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (row[middle] <= value) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    private void keep(int at, double[] row) {
        int from = 0;
        while (from < row.length && row[from] == NONE) {
            from++;
        }
        int to = from == row.length ? from : firstNotAbove(row, from, row[row.length - 1]) + 1;
        least[at] = from == row.length ? slots + 1 : from;
        time[at] = Arrays.copyOfRange(row, from, to);
    }

    private double at(int first, int last, int memory) {
        int at = place(first, last);
        double[] row = time[at];
        int beyond = memory - least[at];
        return beyond < 0 || row.length == 0 ? NONE : row[Math.min(beyond, row.length - 1)];
    }

    /** Slots without which the first stage cannot run saving, the gradient of the last one being there. */
    private int savingSlots(int first, int last) {
        ChainStage stage = chain.stages().get(first);
        long gradient = chain.stages().get(last).outputBytes();
        return slotsOf(Math.max(
                gradient + stage.savedBytes() + stage.forwardExtraBytes(),
                stage.outputBytes() + chain.inputOf(first) + stage.savedBytes() + stage.backwardExtraBytes()));
    }

    private int slotsOf(long bytes) {
        if (bytes == 0) {
            return 0;
        }
        double needed = Math.ceil(bytes / Math.max(slotBytes, Double.MIN_NORMAL));
        return (int) Math.min(needed, slots + 1.0);
    }

    /** The fastest schedule with all memory there is. */
    Optional<List<ChainStep>> schedule() {
        if (at(0, length - 1, slots) == NONE) {
            return Optional.empty();
        }
        List<ChainStep> schedule = new ArrayList<>();
        follow(0, length - 1, slots, schedule);
        return Optional.of(schedule);
    }

    private void follow(int first, int last, int allowed, List<ChainStep> schedule) {
        int memory = allowed;
        int stage = first;
        int saving = 0;
        while (stage <= last) {
            memory = Math.min(memory, most(stage, last));
            if (!saves(stage, last, memory)) {
                part(stage, last, memory, schedule);
                break;
            }
            schedule.add(ChainStep.saving(stage));
            memory -= saved[stage++];
            saving++;
        }
        for (int each = first + saving - 1; each >= first; each--) {
            schedule.add(ChainStep.backward(each));
        }
    }

    /** More memory than that changes nothing for the stretch. */
    private int most(int first, int last) {
        int at = place(first, last);
        return least[at] + time[at].length - 1;
    }

    private boolean saves(int first, int last, int memory) {
        return memory >= savingSlots(first, last)
                && (first == last
                        || own[first] + at(first + 1, last, memory - saved[first]) == at(first, last, memory));
    }

    private void part(int first, int last, int memory, List<ChainStep> schedule) {
        double wanted = at(first, last, memory);
        for (int split = first + 1; split <= last; split = nextSplit(first, last, split)) {
            int kept = output[split - 1];
            double forward = forwardUpTo[split] - forwardUpTo[first];
            if (forward + at(split, last, memory - kept) + at(first, split - 1, memory) == wanted) {
                for (int each = first; each < split; each++) {
                    schedule.add(ChainStep.forward(each));
                }
                follow(split, last, memory - kept, schedule);
                follow(first, split - 1, memory, schedule);
                return;
            }
        }
        throw new IllegalStateException("no choice explains the table at " + first + "…" + last);
    }
}
