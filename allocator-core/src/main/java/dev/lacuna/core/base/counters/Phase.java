package dev.lacuna.core.base.counters;

import java.util.EnumSet;
import java.util.Set;

/** Phases of training that the Python package marks. They nest; the code is the bit in the wire's phase word. */
public enum Phase {
    SETUP("setup"),
    FORWARD("forward"),
    STEP("step");

    private final String label;

    Phase(String label) {
        this.label = label;
    }

    /** The word used in traces and on the wire. */
    public String label() {
        return label;
    }

    /** Bit mask of this phase in the wire's phase word. */
    public int bit() {
        return 1 << ordinal();
    }

    /** The phases whose bits are set. */
    public static Set<Phase> ofBits(int bits) {
        EnumSet<Phase> set = EnumSet.noneOf(Phase.class);
        for (Phase p : values()) {
            if ((bits & p.bit()) != 0) {
                set.add(p);
            }
        }
        return set;
    }
}
