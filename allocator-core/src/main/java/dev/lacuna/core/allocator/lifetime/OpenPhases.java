package dev.lacuna.core.allocator.lifetime;

import dev.lacuna.core.base.counters.Phase;
import java.util.EnumSet;
import java.util.Set;

/** Which phases are open, and how deep: a phase nests in itself and in others. */
public final class OpenPhases {
    private final int[] depths = new int[Phase.values().length];

    /** Opens a phase; true when it is the outermost of its kind. */
    public boolean begin(Phase phase) {
        return depths[phase.ordinal()]++ == 0;
    }

    /** Closes a phase; true when it was the outermost of its kind. False, with nothing changed, when none is open. */
    public boolean end(Phase phase) {
        return isOpen(phase) && --depths[phase.ordinal()] == 0;
    }

    /** Whether a phase of this kind is open. */
    public boolean isOpen(Phase phase) {
        return depths[phase.ordinal()] > 0;
    }

    /** All kinds that are open. */
    public Set<Phase> open() {
        Set<Phase> open = EnumSet.noneOf(Phase.class);
        for (Phase phase : Phase.values()) {
            if (isOpen(phase)) {
                open.add(phase);
            }
        }
        return open;
    }
}
