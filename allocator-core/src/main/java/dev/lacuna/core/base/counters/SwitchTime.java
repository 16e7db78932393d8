package dev.lacuna.core.base.counters;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BinaryOperator;

/**
 * How long a change of rules would take by what the process measured itself. What its next steps have to take from the device
 * again is not in it.
 *
 * @param releaseLeastNs giving back, at the price of the quicker times
 * @param releaseMostNs giving back, at the price of the slower ones
 * @param finishMostNs waiting for the device, where something that should go is still in use; empty where it never had to wait for its
 *     streams
 */
public record SwitchTime(long releaseLeastNs, long releaseMostNs, OptionalLong finishMostNs) {
    private static final long CHUNK_BYTES = 2L << 20;
    private static final long MIB = 1L << 20;

    /** Of giving so much back; empty where the process has no price for it. */
    static Optional<SwitchTime> of(long givenBackBytes, SwitchPrices prices, boolean hasStreams) {
        if (givenBackBytes > 0 && prices.releaseHighNs() == 0) {
            return Optional.empty();
        }
        long chunks = (givenBackBytes + CHUNK_BYTES - 1) / CHUNK_BYTES;
        OptionalLong finish =
                hasStreams && prices.finishNs() == 0 ? OptionalLong.empty() : OptionalLong.of(prices.finishNs());
        return Optional.of(new SwitchTime(chunks * prices.releaseLowNs(), chunks * prices.releaseHighNs(), finish));
    }

    /** Of compacting so much, at the rate at which the process moved before; empty where it never did. */
    static OptionalLong compactionNs(long movedBytes, SwitchPrices prices) {
        return prices.moveNs() == 0
                ? OptionalLong.empty()
                : OptionalLong.of((movedBytes + MIB - 1) / MIB * prices.moveNs());
    }

    /** As a number of milliseconds for people: with a digit behind the point below ten. */
    public static String milliseconds(long ns) {
        double ms = ns / 1e6;
        return String.format(Locale.ROOT, ms < 9.95 ? "%.1f" : "%.0f", ms);
    }

    /** All of it in milliseconds for people, at least and at most by these prices: one number where both read the same. */
    public String milliseconds(BinaryOperator<String> fromTo) {
        String least = milliseconds(leastNs());
        String most = milliseconds(mostNs().orElse(releaseMostNs));
        return least.equals(most) ? least : fromTo.apply(least, most);
    }

    /** All of it: nothing has to be waited for. */
    public long leastNs() {
        return releaseLeastNs;
    }

    /** All of it, at most by these prices; empty where a part of it is not known. */
    public OptionalLong mostNs() {
        return finishMostNs.isPresent()
                ? OptionalLong.of(releaseMostNs + finishMostNs.getAsLong())
                : OptionalLong.empty();
    }
}
