package dev.lacuna.core.planning.swap.kernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * As Capuchin does (Peng et al., ASPLOS 2020), swapping only: the first step runs passively and is measured; then pieces
 * are chosen by free time, the longest first, until all kernels have their room; they leave after the use before their
 * longest pause and come back a transfer's time ahead of the next, earlier by 5 % in the step after they were late. What
 * was foreseen too low is made up for passively.
 */
final class MeasuredThenGuided implements SwapPolicy {
    private static final double FEEDBACK = 0.05;

    /** A pause of a piece: after kernel {@code from} until kernel {@code to}, which may lie in the next step. */
    private record Pause(int piece, int from, int to, long freeCycles) {}

    private final SwapPieces pieces;
    private final SwapMachine machine;
    private final long[] startCycles;
    private final Pause[] chosen;
    private final double[] ahead;
    private boolean measured;

    MeasuredThenGuided(SwapPieces pieces, KernelTrace trace, SwapMachine machine) {
        this.pieces = pieces;
        this.machine = machine;
        startCycles = new long[2 * pieces.kernels + 1];
        for (int k = 0; k < 2 * pieces.kernels; k++) {
            startCycles[k + 1] =
                    startCycles[k] + trace.kernels().get(k % pieces.kernels).cycles();
        }
        chosen = new Pause[pieces.count];
        ahead = new double[pieces.count];
        Arrays.fill(ahead, 1);
    }

    @Override
    public void stepEnded(SwapState state) {
        if (!measured) {
            measured = true;
            choose();
        }
    }

    private void choose() {
        long[] excess = new long[pieces.kernels];
        for (int k = 0; k < excess.length; k++) {
            excess[k] = pieces.live[k] - machine.deviceBytes();
        }
        List<Pause> pauses = new ArrayList<>();
        for (int p = 0; p < pieces.count; p++) {
            longestPause(p, pauses);
        }
        pauses.sort(Comparator.comparingLong(Pause::freeCycles).reversed());
        for (Pause each : pauses) {
            boolean helps = false;
            for (int k = each.from + 1; k < each.to && !helps; k++) {
                helps = excess[k % pieces.kernels] > 0;
            }
            if (helps) {
                chosen[each.piece] = each;
                for (int k = each.from + 1; k < each.to; k++) {
                    excess[k % pieces.kernels] -= pieces.bytes[each.piece];
                }
            }
        }
    }

    private void longestPause(int piece, List<Pause> pauses) {
        long move = 2 * machine.cycles(pieces.bytes[piece], false);
        int[] uses = pieces.uses[piece];
        Pause longest = null;
        for (int i = 0; i < uses.length; i++) {
            int next = pieces.nextUse(piece, uses[i] + 1);
            if (next != SwapPieces.NEVER) {
                long free = startCycles[next] - startCycles[uses[i] + 1] - move;
                if (longest == null || free > longest.freeCycles) {
                    longest = new Pause(piece, uses[i], next, free);
                }
            }
        }
        if (longest != null) {
            pauses.add(longest);
        }
    }

    @Override
    public int evict(SwapState state) {
        int best = NOTHING;
        for (int p = 0; p < pieces.count; p++) {
            if (chosen[p] != null
                    && state.mayLeave(p)
                    && state.lastUse[p] >= 0
                    && state.lastUse[p] % pieces.kernels == chosen[p].from
                    && !due(p, state)
                    && (best == NOTHING || state.lastUse[p] < state.lastUse[best])) {
                best = p;
            }
        }
        return best;
    }

    @Override
    public int fetch(SwapState state) {
        int best = NOTHING;
        int soonest = SwapPieces.NEVER;
        for (int p = 0; p < pieces.count; p++) {
            if (chosen[p] != null && state.away(p) && due(p, state)) {
                int next = state.nextUse(p);
                if (next < soonest) {
                    soonest = next;
                    best = p;
                }
            }
        }
        return best;
    }

    /** Whether the kernel has begun that brings the piece back. */
    private boolean due(int piece, SwapState state) {
        int next = state.nextUse(piece);
        if (next == SwapPieces.NEVER || next - state.kernel >= pieces.kernels) {
            return false;
        }
        int now = state.kernel % pieces.kernels;
        long left = startCycles[now + next - state.kernel] - startCycles[now];
        return left <= ahead[piece] * machine.cycles(pieces.bytes[piece], state.place[piece] == SwapState.Place.DISK);
    }

    @Override
    public void coming(int piece, boolean late, SwapState state) {
        if (late && chosen[piece] != null) {
            ahead[piece] += FEEDBACK;
        }
    }

    @Override
    public int rescue(SwapState state) {
        return OnDemandSwap.leastRecent(state);
    }
}
