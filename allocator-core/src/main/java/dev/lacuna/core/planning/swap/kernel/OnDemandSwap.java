package dev.lacuna.core.planning.swap.kernel;

/** Nothing moves before a kernel waits. */
final class OnDemandSwap implements SwapPolicy {
    private final boolean largestFirst;

    private OnDemandSwap(boolean largestFirst) {
        this.largestFirst = largestFirst;
    }

    /** What was used longest ago goes: the passive mode of Capuchin too. */
    static OnDemandSwap leastRecent() {
        return new OnDemandSwap(false);
    }

    /** The largest tensor's pieces go, of equals the ones used longest ago. */
    static OnDemandSwap largest() {
        return new OnDemandSwap(true);
    }

    @Override
    public int evict(SwapState state) {
        return NOTHING;
    }

    @Override
    public int fetch(SwapState state) {
        return NOTHING;
    }

    @Override
    public int rescue(SwapState state) {
        return largestFirst ? largest(state) : leastRecent(state);
    }

    static int leastRecent(SwapState state) {
        int best = NOTHING;
        for (int p = 0; p < state.pieces.count; p++) {
            if (state.mayLeave(p) && (best == NOTHING || state.lastUse[p] < state.lastUse[best])) {
                best = p;
            }
        }
        return best;
    }

    private static int largest(SwapState state) {
        int best = NOTHING;
        for (int p = 0; p < state.pieces.count; p++) {
            if (state.mayLeave(p)
                    && (best == NOTHING
                            || state.pieces.bytes[p] > state.pieces.bytes[best]
                            || state.pieces.bytes[p] == state.pieces.bytes[best]
                                    && state.lastUse[p] < state.lastUse[best])) {
                best = p;
            }
        }
        return best;
    }
}
