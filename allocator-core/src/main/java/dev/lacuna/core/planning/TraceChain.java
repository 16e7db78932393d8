package dev.lacuna.core.planning;

import dev.lacuna.core.base.counters.Phase;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.base.file.UnreadableException;
import dev.lacuna.core.planning.chain.ChainProfile;
import dev.lacuna.core.planning.chain.ChainStage;
import dev.lacuna.core.planning.method.PlanFailure;
import dev.lacuna.core.planning.method.PlanningProfile;
import dev.lacuna.core.trace.model.AllocationTrace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A chain inferred from the last whole step of a recorded trace. What is born forwards and freed after it was saved for
 * the backward pass. Such blocks go in the reverse of the order in which they came, layer by layer: wherever everything
 * born later is freed before everything born earlier, a stage may end. Its first block is taken for its input. Layers are
 * not named by a trace, so stages are guesses.
 */
public final class TraceChain {
    /** Fewer stages leave nothing to choose. */
    private static final int FEWEST_STAGES = 3;
    /** Finer stages than this are joined: no model's layers are finer, and planners take longer. */
    private static final int MOST_STAGES = 96;

    private static final double NS_PER_MS = 1e6;

    private final AllocationTrace trace;
    private final int begin;
    private final int turn;
    private final int end;

    private TraceChain(AllocationTrace trace, int begin, int turn, int end) {
        this.trace = trace;
        this.begin = begin;
        this.turn = turn;
        this.end = end;
    }

    /** A block that the backward pass needs: when it came and went. */
    private record Saved(long bytes, int born, int freed) {}

    /**
     * The chain.
     *
     * @throws UnreadableException when the trace marks no forward pass in a step, tells no times, or its blocks do not go as
     *     layers' do
     */
    public static PlanningProfile.Chain of(AllocationTrace trace) throws UnreadableException {
        return lastStep(trace).chain();
    }

    private static TraceChain lastStep(AllocationTrace trace) throws UnreadableException {
        int forwardBegin = -1;
        int forwardEnd = -1;
        TraceChain last = null;
        for (int i = 0; i < trace.size(); i++) {
            if (trace.operation(i) != EventKind.PHASE) {
                continue;
            }
            boolean begins = trace.begins(i);
            if (trace.phase(i) == Phase.FORWARD) {
                forwardBegin = begins ? i : forwardBegin;
                forwardEnd = begins ? -1 : i;
            } else if (trace.phase(i) == Phase.STEP && !begins && forwardEnd > forwardBegin && forwardBegin >= 0) {
                last = new TraceChain(trace, forwardBegin, forwardEnd, i);
                forwardBegin = -1;
            }
        }
        if (last == null) {
            throw new UnreadableException(PlanFailure.WORDS.of("profile.trace.phases"));
        }
        return last;
    }

    private PlanningProfile.Chain chain() throws UnreadableException {
        if (trace.timeNs(end) <= trace.timeNs(begin)) {
            throw new UnreadableException(PlanFailure.WORDS.of("profile.trace.times"));
        }
        List<Saved> saved = saved();
        List<Integer> cuts = joined(cuts(saved), saved);
        if (cuts.size() < FEWEST_STAGES) {
            throw new UnreadableException(PlanFailure.WORDS.of("profile.trace.layers", Integer.toString(cuts.size())));
        }
        List<ChainStage> stages = new ArrayList<>();
        for (int i = 0; i < cuts.size(); i++) {
            stages.add(stage(saved, cuts, i));
        }
        PlanningProfile.Chain alone =
                PlanningProfile.Chain.of(new ChainProfile(saved.get(0).bytes(), stages));
        return new PlanningProfile.Chain(alone.chain(), Math.max(0, peak() - alone.plainPeakBytes()), 1);
    }

    private List<Saved> saved() {
        int[] born = new int[trace.blockCount()];
        Arrays.fill(born, -1);
        int[] freed = new int[trace.blockCount()];
        long[] bytes = new long[trace.blockCount()];
        List<Integer> order = new ArrayList<>();
        for (int i = begin; i < end; i++) {
            if (trace.operation(i) == EventKind.ALLOC && i < turn) {
                born[trace.block(i)] = i;
                bytes[trace.block(i)] = trace.bytes(i);
                order.add(trace.block(i));
            } else if (trace.operation(i) == EventKind.FREE) {
                freed[trace.block(i)] = i;
            }
        }
        return order.stream()
                .filter(block -> freed[block] > turn && bytes[block] > 0)
                .map(block -> new Saved(bytes[block], born[block], freed[block]))
                .toList();
    }

    /** Where stages may begin: all that is born from there on is freed before all that was born before. */
    private static List<Integer> cuts(List<Saved> saved) {
        int count = saved.size();
        int[] latestFrom = new int[count + 1];
        for (int i = count - 1; i >= 0; i--) {
            latestFrom[i] = Math.max(latestFrom[i + 1], saved.get(i).freed());
        }
        List<Integer> cuts = new ArrayList<>();
        int earliest = Integer.MAX_VALUE;
        for (int i = 0; i < count; i++) {
            if (earliest > latestFrom[i]) {
                cuts.add(i);
            }
            earliest = Math.min(earliest, saved.get(i).freed());
        }
        return cuts;
    }

    /** Neighbours joined until there are few enough, evenly by bytes. */
    private static List<Integer> joined(List<Integer> cuts, List<Saved> saved) {
        if (cuts.size() <= MOST_STAGES) {
            return cuts;
        }
        long share = saved.stream().mapToLong(Saved::bytes).sum() / MOST_STAGES;
        List<Integer> fewer = new ArrayList<>();
        long since = Long.MAX_VALUE;
        int next = 0;
        for (int i = 0; i < saved.size(); i++) {
            boolean may = next < cuts.size() && cuts.get(next) == i;
            next += may ? 1 : 0;
            if (may && since >= share) {
                fewer.add(i);
                since = 0;
            }
            since += saved.get(i).bytes();
        }
        return fewer;
    }

    private ChainStage stage(List<Saved> saved, List<Integer> cuts, int index) {
        int from = cuts.get(index);
        int to = index + 1 < cuts.size() ? cuts.get(index + 1) : saved.size();
        boolean last = to == saved.size();
        long bytes = saved.subList(from, to).stream().mapToLong(Saved::bytes).sum();
        long output = saved.get(last ? to - 1 : to).bytes();
        int until = last ? turn : saved.get(to).born();
        int forwardFrom = index == 0 ? begin : saved.get(from).born();
        // Gradients begin where the next stage's last block goes.
        int backwardFrom = last ? turn : lastFreed(saved, to);
        return new ChainStage(
                "stage." + index,
                ms(forwardFrom, until),
                ms(backwardFrom, lastFreed(saved.subList(0, to), from)),
                output,
                bytes - saved.get(from).bytes() + output,
                0,
                0);
    }

    private static int lastFreed(List<Saved> saved, int from) {
        return saved.subList(from, saved.size()).stream()
                .mapToInt(Saved::freed)
                .max()
                .orElseThrow();
    }

    private double ms(int from, int to) {
        return Math.max(0, trace.timeNs(to) - trace.timeNs(from)) / NS_PER_MS;
    }

    /** The most that was alive during the step. */
    private long peak() {
        long[] sizes = new long[trace.blockCount()];
        long live = 0;
        long peak = 0;
        for (int i = 0; i < end; i++) {
            if (trace.operation(i) == EventKind.ALLOC) {
                sizes[trace.block(i)] = trace.bytes(i);
                live += trace.bytes(i);
            } else if (trace.operation(i) == EventKind.FREE) {
                live -= sizes[trace.block(i)];
            }
            peak = i >= begin ? Math.max(peak, live) : peak;
        }
        return peak;
    }
}
