package dev.lacuna.core.planning.method;

import java.util.OptionalDouble;

/** What one method found under one budget. */
public sealed interface PlanPoint {
    /** Id of the method. */
    String method();

    /** What it was allowed, bytes. */
    long budgetBytes();

    /** Whether the time limit ended the method; with more time it may find more. */
    boolean endedEarly();

    /** The same where what it was asked for left a spare of this budget. */
    PlanPoint within(long budgetBytes);

    /**
     * A plan within the budget.
     *
     * @param peakBytes what it needs, at most the budget
     * @param time of a step, in the profile's unit
     * @param overhead time over that of a step that recomputes and swaps nothing, from 1
     * @param leastOverhead no plan of this kind within the budget has less; empty where the method proves nothing
     * @param proven whether nothing within the budget is faster, within what the method can express
     * @param endedEarly whether the time limit ended the method; with more time it may find a faster one
     * @param choice what is to be done
     */
    record Planned(
            String method,
            long budgetBytes,
            long peakBytes,
            double time,
            double overhead,
            OptionalDouble leastOverhead,
            boolean proven,
            boolean endedEarly,
            PlannedChoice choice)
            implements PlanPoint {
        public Planned {
            if (peakBytes > budgetBytes) {
                throw new IllegalArgumentException(method + " needs " + peakBytes + " of " + budgetBytes + " bytes");
            }
        }

        @Override
        public Planned within(long budget) {
            return new Planned(method, budget, peakBytes, time, overhead, leastOverhead, proven, endedEarly, choice);
        }

        /**
         * The same plan under another, larger budget.
         *
         * @param least what is known of the overhead under that one
         * @param cut whether the method was ended early there
         */
        public Planned under(long largerBytes, OptionalDouble least, boolean cut) {
            OptionalDouble bound =
                    least.isPresent() ? OptionalDouble.of(Math.min(overhead, least.getAsDouble())) : least;
            return new Planned(method, largerBytes, peakBytes, time, overhead, bound, false, cut, choice);
        }
    }

    /** No plan, and why. */
    record Failed(String method, long budgetBytes, PlanFailure failure) implements PlanPoint {
        @Override
        public boolean endedEarly() {
            return failure.reason() == PlanFailure.Reason.OUT_OF_TIME;
        }

        @Override
        public Failed within(long budget) {
            return new Failed(method, budget, failure);
        }
    }
}
