package dev.lacuna.app.ortools.cpsat;

import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolverStatus;
import com.google.ortools.sat.CumulativeConstraint;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.IntervalVar;
import com.google.ortools.sat.NoOverlap2dConstraint;
import dev.lacuna.core.allocator.packing.ExactSolver;
import dev.lacuna.core.allocator.packing.Lifetimes;
import dev.lacuna.core.allocator.packing.Plan;
import dev.lacuna.core.allocator.packing.Planner;
import dev.lacuna.core.allocator.packing.SearchBudget;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Blocks as rectangles that must not overlap: time is fixed, the offset is sought below the capacity. The bytes alive at a time are
 * also a cumulative resource, which prunes earlier than pairs do. Counts no nodes: only {@link SearchBudget#millis} ends it.
 */
public final class PackingProgramme implements ExactSolver {
    /** The model compares pairs. */
    static final int MOST_BLOCKS = 1_500;

    /** An unlimited budget is one of an hour. */
    private static final long MOST_MILLIS = 3_600_000;

    private static final Answer UNDECIDED = new Answer(Verdict.UNDECIDED, Optional.empty(), 0);

    /** A solver; OR-Tools must be at hand. */
    public PackingProgramme() {}

    @Override
    public Answer solve(Lifetimes blocks, long capacity, SearchBudget budget) {
        int[] placed =
                IntStream.range(0, blocks.count()).filter(blocks::needsRoom).toArray();
        if (placed.length > MOST_BLOCKS || total(blocks, placed).bitLength() > 60) {
            return UNDECIDED;
        }
        if (Planner.lowerBound(blocks) > capacity) {
            return new Answer(Verdict.IMPOSSIBLE, Optional.empty(), 0);
        }
        if (placed.length == 0 || Thread.currentThread().isInterrupted()) {
            return placed.length == 0 ? fits(new Plan(blocks, new long[blocks.count()]), 0) : UNDECIDED;
        }
        return search(blocks, placed, Math.min(capacity, total(blocks, placed).longValueExact()), budget);
    }

    private static Answer search(Lifetimes blocks, int[] placed, long capacity, SearchBudget budget) {
        long unit = unit(blocks, placed);
        CpModel model = CpSat.model();
        IntVar[] offsets = model(model, blocks, placed, capacity / unit, unit);
        CpSat run = CpSat.solve(model, Math.min(budget.millis(), MOST_MILLIS) / 1000.0);
        long branches = run.solution().numBranches();
        if (run.status() == CpSolverStatus.INFEASIBLE) {
            return new Answer(Verdict.IMPOSSIBLE, Optional.empty(), branches);
        }
        if (!run.found()) {
            return new Answer(Verdict.UNDECIDED, Optional.empty(), branches);
        }
        long[] offset = new long[blocks.count()];
        for (int k = 0; k < placed.length; k++) {
            offset[placed[k]] = run.solution().value(offsets[k]) * unit;
        }
        Plan plan = new Plan(blocks, offset);
        boolean sound = plan.firstOverlap().isEmpty() && plan.height() <= capacity;
        return sound ? fits(plan, branches) : new Answer(Verdict.UNDECIDED, Optional.empty(), branches);
    }

    private static Answer fits(Plan plan, long branches) {
        return new Answer(Verdict.FITS, Optional.of(plan), branches);
    }

    private static IntVar[] model(CpModel model, Lifetimes blocks, int[] placed, long capacity, long unit) {
        // Times are ranks: the model's numbers stay small whatever a trace calls its rows.
        long[] moments = IntStream.of(placed)
                .mapToLong(blocks::lower)
                .sorted()
                .distinct()
                .toArray();
        NoOverlap2dConstraint apart = model.addNoOverlap2D();
        CumulativeConstraint alive = model.addCumulative(capacity);
        IntVar[] offsets = new IntVar[placed.length];
        for (int k = 0; k < placed.length; k++) {
            long size = blocks.size(placed[k]) / unit;
            long from = rank(moments, blocks.lower(placed[k]));
            long until = rank(moments, blocks.upper(placed[k]));
            IntervalVar time = model.newFixedInterval(from, until - from, "t" + k);
            offsets[k] = model.newIntVar(0, capacity - size, "o" + k);
            apart.addRectangle(time, model.newFixedSizeIntervalVar(offsets[k], size, "y" + k));
            alive.addDemand(time, size);
        }
        return offsets;
    }

    /** How many births come before a moment; two blocks share a moment exactly when they share one at which a block is born. */
    private static long rank(long[] births, long moment) {
        int found = Arrays.binarySearch(births, moment);
        return found >= 0 ? found : -found - 1L;
    }

    private static BigInteger total(Lifetimes blocks, int[] placed) {
        return IntStream.of(placed)
                .mapToObj(i -> BigInteger.valueOf(blocks.size(i)))
                .reduce(BigInteger.ZERO, BigInteger::add);
    }

    /** The common divisor of all sizes: offsets of a lowest plan are sums of sizes. */
    private static long unit(Lifetimes blocks, int[] placed) {
        return IntStream.of(placed)
                .mapToObj(i -> BigInteger.valueOf(blocks.size(i)))
                .reduce(BigInteger.ZERO, BigInteger::gcd)
                .longValueExact();
    }
}
