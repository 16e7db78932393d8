package dev.lacuna.core.diagnosis.oom.model;

import java.util.OptionalLong;
import java.util.Set;

/**
 * Where a log was printed, as far as its own lines tell.
 *
 * @param traits what they tell
 * @param server what a server was started with
 * @param vram what a kernel's line gives as the card's own memory, in bytes
 */
public record Surroundings(Set<Trait> traits, ServerOptions server, OptionalLong vram) {
    /** Nothing is told. */
    public static final Surroundings UNKNOWN = new Surroundings(Set.of());

    /** Without options of a server. */
    public Surroundings(Set<Trait> traits) {
        this(traits, ServerOptions.UNKNOWN, OptionalLong.empty());
    }

    public Surroundings {
        traits = Set.copyOf(traits);
    }

    /** Whether the lines show this. */
    public boolean show(Trait trait) {
        return traits.contains(trait);
    }

    /** Whether a server printed it, and nothing speaks of training beside it. */
    public boolean serve() {
        return show(Trait.SERVES) && !show(Trait.TRAINS);
    }
}
