package dev.lacuna.core.planning.swap.kernel;

/**
 * As vDNN does with all layers (Rhu et al., MICRO 2016): whatever the backward pass reads again leaves after its last use
 * in the forward pass, needed or not, and comes back one kernel ahead. Unlike there, a layer does not wait for what is
 * leaving.
 */
final class LayerOffload implements SwapPolicy {
    private final SwapPieces pieces;
    /** The first kernel of the backward pass. */
    private final int turn;
    /** Per piece the last kernel of the forward pass that uses it; -1 for what stays. */
    private final int[] leavesAfter;

    LayerOffload(SwapPieces pieces, KernelTrace trace) {
        this.pieces = pieces;
        int first = 0;
        while (first < pieces.kernels && !trace.kernels().get(first).backward()) {
            first++;
        }
        turn = first;
        leavesAfter = new int[pieces.count];
        for (int p = 0; p < pieces.count; p++) {
            leavesAfter[p] = NOTHING;
            for (int use : pieces.uses[p]) {
                if (!pieces.global[p] && use < turn && pieces.lastUse(p) >= turn) {
                    leavesAfter[p] = use;
                }
            }
        }
    }

    @Override
    public int evict(SwapState state) {
        int now = state.kernel % pieces.kernels;
        int best = NOTHING;
        for (int p = 0; p < pieces.count; p++) {
            if (leavesAfter[p] >= 0
                    && now < turn
                    && leavesAfter[p] < now
                    && state.mayLeave(p)
                    && (best == NOTHING || leavesAfter[p] < leavesAfter[best])) {
                best = p;
            }
        }
        return best;
    }

    @Override
    public int fetch(SwapState state) {
        int next = (state.kernel + 1) % pieces.kernels;
        if (next >= turn) {
            for (int p : pieces.usedBy[next]) {
                if (state.away(p)) {
                    return p;
                }
            }
        }
        return NOTHING;
    }

    @Override
    public int rescue(SwapState state) {
        return OnDemandSwap.leastRecent(state);
    }
}
