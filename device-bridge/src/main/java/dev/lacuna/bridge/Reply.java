package dev.lacuna.bridge;

import java.util.Map;
import java.util.OptionalDouble;

/** The agent's answer to a {@link Change}. */
public sealed interface Reply {
    /**
     * The change holds.
     *
     * @param optimisation what holds now
     * @param fraction what holds now
     * @param limitBytes the cap that holds now
     * @param before counters before, by wire name ({@code reserved_bytes} …)
     * @param after counters after, by wire name
     * @param unreachedBytes reserved above the new cap that live blocks hold
     */
    record Applied(
            boolean optimisation,
            double fraction,
            long limitBytes,
            Map<String, Long> before,
            Map<String, Long> after,
            long unreachedBytes)
            implements Reply {
        public Applied {
            before = Map.copyOf(before);
            after = Map.copyOf(after);
        }
    }

    /**
     * The agent refused and changed nothing.
     *
     * @param code the protocol's word, such as {@code would-fail}
     * @param text one sentence
     * @param lowestSafeFraction present with {@code would-fail}
     */
    record Refused(String code, String text, OptionalDouble lowestSafeFraction) implements Reply {}
}
