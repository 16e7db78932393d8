package dev.lacuna.bridge;

import dev.lacuna.core.base.counters.PoolPolicy;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** The agent's answer to a {@link Change}. */
public sealed interface Reply {
    /** Code of a refusal by the guard: what was asked for would very likely end the training. */
    String WOULD_FAIL = "would-fail";

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
     * @param policy by whose rules, where the change was about that
     * @param swapLeastBytes while swapping is on and a whole step of it is known: the least that steps like the last one take on
     *     the device, whatever leaves
     */
    record Applied(
            boolean optimisation,
            double fraction,
            long limitBytes,
            Map<String, Long> before,
            Map<String, Long> after,
            long unreachedBytes,
            Optional<SwapSetting> swapping,
            Optional<PoolPolicy> policy,
            OptionalLong swapLeastBytes)
            implements Reply {
        public Applied {
            before = Map.copyOf(before);
            after = Map.copyOf(after);
        }

        /** The answer to a change that was about neither swapping nor rules. */
        public Applied(
                boolean optimisation,
                double fraction,
                long limitBytes,
                Map<String, Long> before,
                Map<String, Long> after,
                long unreachedBytes) {
            this(
                    optimisation,
                    fraction,
                    limitBytes,
                    before,
                    after,
                    unreachedBytes,
                    Optional.empty(),
                    Optional.empty(),
                    OptionalLong.empty());
        }

        /** Whether swapping cannot make the cap good: the next step very likely fails. */
        public boolean beyondSwapping() {
            return swapLeastBytes.orElse(0) > limitBytes;
        }
    }

    /**
     * The agent refused and changed nothing.
     *
     * @param code the protocol's word, such as {@code would-fail}
     * @param text one sentence
     * @param guard the figures of its guard, with {@link #WOULD_FAIL}
     */
    record Refused(String code, String text, Optional<GuardFigures> guard) implements Reply {
        /** A refusal that tells no more than a lowest safe fraction, or not even that. */
        public Refused(String code, String text, OptionalDouble lowestSafeFraction) {
            this(
                    code,
                    text,
                    lowestSafeFraction.isPresent()
                            ? Optional.of(GuardFigures.ofFraction(lowestSafeFraction.getAsDouble()))
                            : Optional.empty());
        }

        /** The lowest fraction that the guard would accept, where it is told. */
        public OptionalDouble lowestSafeFraction() {
            return guard.map(GuardFigures::lowestSafeFraction).orElse(OptionalDouble.empty());
        }

        /** Whether it is the guard that refused, which can be overridden. */
        public boolean byGuard() {
            return code.equals(WOULD_FAIL);
        }
    }
}
