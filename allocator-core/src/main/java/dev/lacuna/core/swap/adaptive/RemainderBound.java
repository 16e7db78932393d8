package dev.lacuna.core.swap.adaptive;

/** The least time that both passes can take once the first layers are decided. */
final class RemainderBound {
    private final long[] forwardAfterNs;
    private final long[] backwardAfterNs;

    RemainderBound(LayerCosts costs, long limitBytes) {
        int layers = costs.count();
        forwardAfterNs = new long[layers + 1];
        backwardAfterNs = new long[layers + 1];
        for (int i = layers - 1; i >= 0; i--) {
            forwardAfterNs[i] = forwardAfterNs[i + 1] + costs.forwardNs(i);
            backwardAfterNs[i] =
                    backwardAfterNs[i + 1] + costs.backwardNs(i, dev.lacuna.core.swap.layer.LayerAction.KEEP);
        }
    }

    long leastNs(int next, long heldBytes, PassState forward, PassState reversed) {
        return Math.max(forward.nowNs() + forwardAfterNs[next], forward.linkFreeNs())
                + Math.max(reversed.nowNs() + backwardAfterNs[next], reversed.linkFreeNs());
    }
}
