package dev.lacuna.core.planning.swap.kernel;

/**
 * Lacuna's own planner: the whole step is known, so what will not fit is known before it is made. Memory is sent away as
 * soon as the link is idle, what is needed last first, for as long as some kernel until then has too little room; it
 * comes back in the order of need, as soon as no kernel before lacks the room for it. (Keeping a margin
 * free for what comes back was tried: from 0.1 to 3 GB it changed no public trace for the better.)
 */
final class ForesightSwap implements SwapPolicy {
    private static final int NEVER_TIGHT = -1;

    private final SwapPieces pieces;
    /** By kernel number: bytes beyond the device, when every piece away comes back just in time. */
    private final long[] excess;
    /** How far each piece that is away was counted as away. */
    private final int[] countedTo;

    /** @param steps how many steps will run */
    ForesightSwap(SwapPieces pieces, SwapMachine machine, int steps) {
        this.pieces = pieces;
        excess = new long[(steps + 1) * pieces.kernels];
        countedTo = new int[pieces.count];
        for (int k = 0; k < excess.length; k++) {
            excess[k] = pieces.live[k % pieces.kernels] - machine.deviceBytes();
        }
        for (int p = 0; p < pieces.count; p++) {
            if (pieces.global[p]) {
                count(p, 0, pieces.firstUse(p), -1);
            }
        }
    }

    private void count(int piece, int from, int to, int sign) {
        int end = Math.min(to, excess.length);
        for (int k = from; k < end; k++) {
            excess[k] += sign * pieces.bytes[piece];
        }
        countedTo[piece] = end;
    }

    @Override
    public int evict(SwapState state) {
        int tight = firstTight(state.kernel);
        if (tight == NEVER_TIGHT) {
            return NOTHING;
        }
        int best = NOTHING;
        int farthest = tight;
        for (int p = 0; p < pieces.count; p++) {
            if (state.mayLeave(p)) {
                int next = state.nextUse(p);
                if (next != SwapPieces.NEVER && next > farthest) {
                    farthest = next;
                    best = p;
                }
            }
        }
        return best;
    }

    private int firstTight(int from) {
        for (int k = from; k < Math.min(excess.length, from + pieces.kernels); k++) {
            if (excess[k] > 0) {
                return k;
            }
        }
        return NEVER_TIGHT;
    }

    @Override
    public void leaving(int piece, SwapState state) {
        count(piece, state.kernel, state.nextUse(piece), -1);
    }

    @Override
    public void coming(int piece, boolean late, SwapState state) {
        count(piece, state.kernel, countedTo[piece], 1);
    }

    @Override
    public int fetch(SwapState state) {
        int first = NOTHING;
        int soonest = SwapPieces.NEVER;
        for (int p = 0; p < pieces.count; p++) {
            if (state.away(p)) {
                int next = state.nextUse(p);
                if (next < soonest) {
                    soonest = next;
                    first = p;
                }
            }
        }
        return first == NOTHING || !roomUntil(first, state.kernel) ? NOTHING : first;
    }

    private boolean roomUntil(int piece, int from) {
        for (int k = from; k < countedTo[piece]; k++) {
            if (excess[k] + pieces.bytes[piece] > 0) {
                return false;
            }
        }
        return true;
    }

    /** What is needed last goes; what was not worth it ahead is now. */
    @Override
    public int rescue(SwapState state) {
        int best = NOTHING;
        int farthest = -1;
        for (int p = 0; p < pieces.count; p++) {
            if (state.mayLeave(p)) {
                int next = state.nextUse(p);
                if (next > farthest) {
                    farthest = next;
                    best = p;
                }
            }
        }
        return best;
    }
}
