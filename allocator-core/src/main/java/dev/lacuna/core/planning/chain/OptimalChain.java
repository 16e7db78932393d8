package dev.lacuna.core.planning.chain;

import dev.lacuna.core.base.Patience;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The fastest schedule for a chain of unlike stages among those that keep a state until the backward pass has used it:
 * a dynamic programme over (first stage, last stage, memory). Source: Beaumont, Eyraud-Dubois, Herrmann, Joly and
 * Shilova, "Optimal checkpointing for heterogeneous chains" (rotor). Where the sizes are multiples of something large
 * enough, memory is counted in it and the answer exact. Else sizes are rounded up to slots of the budget, so a plan never
 * exceeds it; and of long chains states are kept on a grid of stages ({@link ChainTable}). What is lost by either may be
 * more than the choice of single stages loses, which is then taken.
 */
public final class OptimalChain implements ChainPlanner {
    private static final int USUAL_SLOTS = 2_000;
    private static final int FEWEST_SLOTS = 50;
    /** Where a table with that many would take too long, a coarser grid of stages loses less than coarser slots. */
    private static final int ENOUGH_SLOTS = 1_000;

    /** Cells of the table: eight bytes each. */
    private static final long MOST_CELLS = 24_000_000;

    /** Cells times stages: how long a table without rounding may take, a few hundredths of a second. */
    private static final long MOST_EXACT_WORK = 100_000_000;

    private static final long MOST_EXACT_CELLS = 2_000_000;

    /** Partings of stretches times slots: how long a table may take, a few tenths of a second. */
    private static final long USUAL_WORK = 100_000_000;

    private final int slots;
    private final long mostWork;

    /** With the usual resolution of 2,000 slots where sizes must be rounded. */
    public OptimalChain() {
        this(USUAL_SLOTS);
    }

    /** @param slots into how many pieces the budget is cut where sizes must be rounded, at least 1 */
    public OptimalChain(int slots) {
        this(slots, USUAL_WORK);
    }

    private OptimalChain(int slots, long mostWork) {
        this.slots = slots;
        this.mostWork = mostWork;
    }

    /** The same planner, which may work so many times as long for a plan before it keeps states on a grid. */
    public OptimalChain withWork(double times) {
        return new OptimalChain(slots, (long) (mostWork * times));
    }

    @Override
    public String id() {
        return "optimal-chain";
    }

    @Override
    public Optional<ChainPlan> plan(ChainProfile chain, long budgetBytes, Patience patience) {
        Optional<ChainTable> table = table(chain, budgetBytes);
        if (table.isEmpty()) {
            return Optional.empty();
        }
        boolean filled = table.get().fill(patience);
        Optional<ChainPlan> found =
                filled ? table.get().schedule().map(steps -> ChainPlan.of(chain, steps)) : Optional.empty();
        return filled && table.get().exact()
                ? found
                : faster(found, new LayerwiseRecompute().plan(chain, budgetBytes, patience));
    }

    /** The table that answers for this budget, not yet filled; empty where not even the input fits. */
    Optional<ChainTable> table(ChainProfile chain, long budgetBytes) {
        long room = budgetBytes - chain.inputBytes();
        if (room < 0) {
            return Optional.empty();
        }
        OptionalLong unit = exactUnit(chain, room);
        if (unit.isPresent()) {
            int units = (int) (useful(chain, room) / unit.getAsLong());
            return Optional.of(ChainTable.exact(chain, unit.getAsLong(), units));
        }
        int grid = 1;
        for (int coarser = 2; coarser <= chain.length() && fitting(chain, grid) < ENOUGH_SLOTS; coarser++) {
            grid = fitting(chain, coarser) > fitting(chain, grid) ? coarser : grid;
        }
        int resolution = (int) Math.min(Math.max(fitting(chain, grid), FEWEST_SLOTS), Math.max(1, room));
        return Optional.of(ChainTable.rounded(chain, (double) room / resolution, resolution, grid));
    }

    /** Slots for which there are room and work. */
    private long fitting(ChainProfile chain, int grid) {
        long cells = MOST_CELLS / ChainTable.stretches(chain.length(), grid);
        long work = mostWork / ChainTable.partings(chain.length(), grid);
        return Math.min(slots, Math.min(cells, work));
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
}
