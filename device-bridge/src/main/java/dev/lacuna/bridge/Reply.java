package dev.lacuna.bridge;

import java.util.Map;
import java.util.Optional;
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
     * @param swapping what holds of swapping, where the change was about that
     */
    record Applied(
            boolean optimisation,
            double fraction,
            long limitBytes,
            Map<String, Long> before,
            Map<String, Long> after,
            long unreachedBytes,
            Optional<SwapSetting> swapping)
            implements Reply {
        public Applied {
            before = Map.copyOf(before);
            after = Map.copyOf(after);
        }

        /** The answer to a change that was not about swapping. */
        public Applied(
                boolean optimisation,
                double fraction,
                long limitBytes,
                Map<String, Long> before,
                Map<String, Long> after,
                long unreachedBytes) {
            this(optimisation, fraction, limitBytes, before, after, unreachedBytes, Optional.empty());
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
