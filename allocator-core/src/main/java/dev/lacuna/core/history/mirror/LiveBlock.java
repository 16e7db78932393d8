package dev.lacuna.core.history.mirror;

import dev.lacuna.core.history.model.AgentMemory;
import dev.lacuna.core.history.model.LiveSpans;

/**
 * A block that was seen being handed out, or of which was told that it had been before.
 *
 * @param requested bytes asked for
 * @param bornNs CLOCK_MONOTONIC; {@link #BEFORE}
 * @param pool wire code of its pool, −1 for none
 */
record LiveBlock(long requested, long bornNs, int pool) implements LiveSpans.Block {
    /** Born before anybody looked. */
    static final long BEFORE = 0;

    /** In place of a block where there is none. */
    static final LiveBlock NONE = new LiveBlock(0, 0, -1);

    /** What it takes at least; an unsplit rest behind it may belong to it too, which events do not tell. */
    @Override
    public long bytes() {
        return AgentMemory.rounded(requested);
    }
}
