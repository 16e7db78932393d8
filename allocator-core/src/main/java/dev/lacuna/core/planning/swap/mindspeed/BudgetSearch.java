package dev.lacuna.core.planning.swap.mindspeed;

import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * Bisection on the memory budget: each round solves the knapsack for a budget, runs a step, and learns from it. Policies
 * seen before are judged without a step.
 *
 * @param <P> a policy; equal policies behave alike
 */
public final class BudgetSearch<P> {
    /** A found policy counts as stable this many steps later at the latest. */
    private static final int PATIENCE_STEPS = 10;

    private final int staticMb;
    private final IntFunction<P> policyOf;
    private final Set<P> outOfMemory = new LinkedHashSet<>();
    private final Set<P> fine = new HashSet<>();
    private int left;
    private int right;
    private int firstFine;
    private int budget;
    private boolean found;
    private boolean retried;
    private boolean stable;
    private int step;
    private int stableAfter;

    /**
     * @param deviceMb memory of the smallest device of the group, MiB: the first budget
     * @param staticMb memory beside the layers' activations, MiB: the floor
     * @param policyOf the policy for a budget in MiB
     */
    public BudgetSearch(int deviceMb, int staticMb, IntFunction<P> policyOf) {
        this.staticMb = staticMb;
        this.policyOf = policyOf;
        this.left = staticMb;
        this.budget = deviceMb;
    }

    /**
     * A search that earlier runs of the same job have taught.
     *
     * @param deviceMb memory of the smallest device of the group, MiB: the first budget
     * @param staticMb memory beside the layers' activations, MiB: the floor
     * @param policyOf the policy for a budget in MiB
     * @param outOfMemoryBefore policies that ran out of memory then
     * @throws NoBudgetFitsException when even the floor's policy is among them
     */
    public static <P> BudgetSearch<P> after(
            Set<P> outOfMemoryBefore, int deviceMb, int staticMb, IntFunction<P> policyOf)
            throws NoBudgetFitsException {
        BudgetSearch<P> search = new BudgetSearch<>(deviceMb, staticMb, policyOf);
        search.outOfMemory.addAll(outOfMemoryBefore);
        search.skipKnown();
        return search;
    }

    /** Policies that ran out of memory, earlier runs' too. */
    public Set<P> outOfMemory() {
        return Collections.unmodifiableSet(outOfMemory);
    }

    /** The budget of the next step, MiB. */
    public int budgetMb() {
        return budget;
    }

    /** Whether the next step runs under the budget that the search ended with. */
    public boolean found() {
        return found;
    }

    /** Whether the policy has proven itself; then the search is over. */
    public boolean stable() {
        return stable;
    }

    /**
     * Learns from a step under {@link #budgetMb}.
     *
     * @throws NoBudgetFitsException when even the floor was too much
     */
    public void stepEnded(StepOutcome outcome) throws NoBudgetFitsException {
        if (stable) {
            throw new IllegalStateException("the search is over");
        }
        step++;
        if (found && (!outcome.rescued() || step > stableAfter)) {
            stable = true;
            return;
        }
        switch (outcome.verdict()) {
            case FINE -> learn(false);
            case OUT_OF_MEMORY -> learn(true);
            case UNSTABLE -> {
                if (retried) {
                    learn(true);
                } else {
                    retried = true;
                }
            }
        }
    }

    private void learn(boolean tooMuch) throws NoBudgetFitsException {
        retried = false;
        (tooMuch ? outOfMemory : fine).add(policyOf.apply(budget));
        if (found) {
            found = false;
            left = firstFine;
            right = budget;
        }
        advance(tooMuch);
        skipKnown();
    }

    private void skipKnown() throws NoBudgetFitsException {
        while (!found) {
            P next = policyOf.apply(budget);
            if (outOfMemory.contains(next)) {
                advance(true);
            } else if (fine.contains(next)) {
                advance(false);
            } else {
                return;
            }
        }
    }

    private void advance(boolean tooMuch) throws NoBudgetFitsException {
        if (tooMuch) {
            lower();
        } else {
            raise();
        }
    }

    private void lower() throws NoBudgetFitsException {
        right = budget;
        if (firstFine >= budget) {
            firstFine = 0;
        }
        if (right <= staticMb) {
            throw new NoBudgetFitsException();
        }
        if (right <= left) {
            left = staticMb;
        }
        budget = (left + right) >>> 1;
    }

    private void raise() {
        left = budget;
        if (firstFine == 0) {
            firstFine = budget;
        }
        if (right - left <= 1) {
            found = true;
            stableAfter = step + PATIENCE_STEPS;
            budget = left;
        } else {
            budget = (left + right) >>> 1;
        }
    }
}
