package dev.lacuna.core.recompute;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The fastest schedule for a chain of unlike stages among those that keep a state until the backward pass has used it:
 * a dynamic programme over (first stage, last stage, memory). Source: Beaumont, Eyraud-Dubois, Herrmann, Joly and
 * Shilova, "Optimal checkpointing for heterogeneous chains" (rotor). Where the sizes are multiples of something large
 * enough, memory is counted in it and the answer exact. Else sizes are rounded up to slots of the budget, so a plan never
 * exceeds it; what is lost by that may be more than the choice of single stages loses, which is then taken.
 */
public final class OptimalChain implements ChainPlanner {
    private static final int USUAL_SLOTS = 500;
    private static final int FEWEST_SLOTS = 50;
    /** Cells of the table: eight bytes each. */
    private static final long MOST_CELLS = 24_000_000;

    private static final double NONE = Double.POSITIVE_INFINITY;

    /** Cells times stages: how long a table without rounding may take, a few hundredths of a second. */
    private static final long MOST_EXACT_WORK = 30_000_000;

    private static final long MOST_EXACT_CELLS = 2_000_000;

    private final int slots;

    /** With the usual resolution of 500 slots where sizes must be rounded. */
    public OptimalChain() {
        this(USUAL_SLOTS);
    }

    /** @param slots into how many pieces the budget is cut where sizes must be rounded, at least 1 */
    public OptimalChain(int slots) {
        this.slots = slots;
    }

    @Override
    public String id() {
        return "optimal-chain";
    }

    @Override
    public Optional<ChainPlan> plan(ChainProfile chain, long budgetBytes) {
        long room = budgetBytes - chain.inputBytes();
        if (room < 0) {
            return Optional.empty();
        }
        OptionalLong unit = exactUnit(chain, room);
        if (unit.isPresent()) {
            return planned(chain, new Table(chain, unit.getAsLong(), (int) (useful(chain, room) / unit.getAsLong())));
        }
        long pairs = pairs(chain);
        int resolution = (int) Math.min(Math.max(Math.min(slots, MOST_CELLS / pairs), FEWEST_SLOTS), Math.max(1, room));
        return faster(
                planned(chain, new Table(chain, (double) room / resolution, resolution)),
                new LayerwiseRecompute().plan(chain, budgetBytes));
    }

    private static Optional<ChainPlan> planned(ChainProfile chain, Table table) {
        table.fill();
        return table.schedule().map(steps -> ChainPlan.of(chain, steps));
    }

    private static Optional<ChainPlan> faster(Optional<ChainPlan> one, Optional<ChainPlan> other) {
        return Stream.of(one, other).flatMap(Optional::stream).min(Comparator.comparingDouble(ChainPlan::timeMs));
    }

    private static long pairs(ChainProfile chain) {
        return (long) chain.length() * (chain.length() + 1) / 2;
    }

    /** Memory beyond what keeping everything takes changes nothing. */
    private static long useful(ChainProfile chain, long room) {
        return Math.min(
                room, new StoreAll().plan(chain, Long.MAX_VALUE).orElseThrow().peakBytes());
    }

    /** The bytes of which every size is a multiple; empty where a table that counts in them would be too large. */
    private static OptionalLong exactUnit(ChainProfile chain, long room) {
        long unit = chain.stages().stream()
                .flatMapToLong(stage -> LongStream.of(
                        stage.outputBytes(), stage.savedBytes(), stage.forwardExtraBytes(), stage.backwardExtraBytes()))
                .reduce(chain.inputBytes(), OptimalChain::commonDivisor);
        if (unit == 0) {
            return OptionalLong.of(1);
        }
        double cells = (double) (useful(chain, room) / unit + 1) * pairs(chain);
        return cells <= MOST_EXACT_CELLS && cells * chain.length() <= MOST_EXACT_WORK
                ? OptionalLong.of(unit)
                : OptionalLong.empty();
    }

    private static long commonDivisor(long one, long other) {
        return other == 0 ? one : commonDivisor(other, one % other);
    }

    /** Times of the fastest schedules of every stretch at every memory. */
    private static final class Table {
        private final ChainProfile chain;
        private final int length;
        private final int slots;
        private final double slotBytes;
        private final double[][] time;
        private final double[] forwardUpTo;

        Table(ChainProfile chain, double slotBytes, int slots) {
            this.chain = chain;
            this.length = chain.length();
            this.slots = slots;
            this.slotBytes = slotBytes;
            this.time = new double[length * length][];
            this.forwardUpTo = new double[length + 1];
            for (int i = 0; i < length; i++) {
                forwardUpTo[i + 1] = forwardUpTo[i] + chain.stages().get(i).forwardMs();
            }
        }

        void fill() {
            for (int reach = 0; reach < length; reach++) {
                for (int first = 0; first + reach < length; first++) {
                    time[first * length + first + reach] = row(first, first + reach);
                }
            }
        }

        private double[] row(int first, int last) {
            double[] row = new double[slots + 1];
            Arrays.fill(row, NONE);
            int saving = savingSlots(first, last);
            int dropping = first == last ? Integer.MAX_VALUE : droppingSlots(first, last);
            int saved = slotsOf(chain.stages().get(first).savedBytes());
            for (int memory = Math.min(saving, dropping); memory <= slots; memory++) {
                double best = memory >= saving ? savingTime(first, last, memory, saved) : NONE;
                if (memory >= dropping) {
                    for (int split = first + 1; split <= last; split++) {
                        best = Math.min(best, droppingTime(first, last, split, memory));
                    }
                }
                row[memory] = best;
            }
            return row;
        }

        private double savingTime(int first, int last, int memory, int saved) {
            ChainStage stage = chain.stages().get(first);
            double own = stage.forwardMs() + stage.backwardMs();
            return first == last ? own : own + at(first + 1, last, memory - saved);
        }

        private double droppingTime(int first, int last, int split, int memory) {
            int kept = slotsOf(chain.stages().get(split - 1).outputBytes());
            return forwardUpTo[split]
                    - forwardUpTo[first]
                    + at(split, last, memory - kept)
                    + at(first, split - 1, memory);
        }

        private double at(int first, int last, int memory) {
            return memory < 0 ? NONE : time[first * length + last][memory];
        }

        /** Slots without which the first stage cannot run saving, the gradient of the last one being there. */
        private int savingSlots(int first, int last) {
            ChainStage stage = chain.stages().get(first);
            long gradient = chain.stages().get(last).outputBytes();
            return slotsOf(Math.max(
                    gradient + stage.savedBytes() + stage.forwardExtraBytes(),
                    stage.outputBytes() + chain.inputOf(first) + stage.savedBytes() + stage.backwardExtraBytes()));
        }

        /** Slots without which the forward passes of the stretch cannot run one after the other. */
        private int droppingSlots(int first, int last) {
            long most = 0;
            for (int i = first; i < last; i++) {
                ChainStage stage = chain.stages().get(i);
                long input = i == first ? 0 : chain.inputOf(i);
                most = Math.max(most, input + stage.outputBytes() + stage.forwardExtraBytes());
            }
            return slotsOf(most + chain.stages().get(last).outputBytes());
        }

        private int slotsOf(long bytes) {
            if (bytes == 0) {
                return 0;
            }
            double needed = Math.ceil(bytes / Math.max(slotBytes, Double.MIN_NORMAL));
            return (int) Math.min(needed, slots + 1.0);
        }

        Optional<List<ChainStep>> schedule() {
            if (at(0, length - 1, slots) == NONE) {
                return Optional.empty();
            }
            List<ChainStep> steps = new ArrayList<>();
            follow(0, length - 1, slots, steps);
            return Optional.of(steps);
        }

        private void follow(int first, int last, int memory, List<ChainStep> steps) {
            double wanted = at(first, last, memory);
            int saved = slotsOf(chain.stages().get(first).savedBytes());
            if (memory >= savingSlots(first, last) && savingTime(first, last, memory, saved) == wanted) {
                steps.add(ChainStep.saving(first));
                if (first < last) {
                    follow(first + 1, last, memory - saved, steps);
                }
                steps.add(ChainStep.backward(first));
                return;
            }
            for (int split = first + 1; split <= last; split++) {
                if (droppingTime(first, last, split, memory) == wanted) {
                    for (int stage = first; stage < split; stage++) {
                        steps.add(ChainStep.forward(stage));
                    }
                    follow(
                            split,
                            last,
                            memory - slotsOf(chain.stages().get(split - 1).outputBytes()),
                            steps);
                    follow(first, split - 1, memory, steps);
                    return;
                }
            }
            throw new IllegalStateException("no choice explains the table at " + first + "…" + last);
        }
    }
}
