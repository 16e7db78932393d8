package dev.lacuna.ui.places.swap;

import dev.lacuna.ui.chart.TimeRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a stretch of time used of the link to the host.
 *
 * @param fromNs its begin, on the monotonic clock
 * @param toNs its end
 * @param outBytes what arrived on the host
 * @param inBytes what came back
 * @param outShare what went out as a share of what the link can do at its measured rate, 0 to 1
 * @param inShare the same of what came back
 */
public record LinkUse(long fromNs, long toNs, double outBytes, double inBytes, double outShare, double inShare) {
    private static final double NS_PER_S = 1e9;

    /** Of the newest stretch of this length, or of all that was seen where that is shorter; empty before anything was copied or seen. */
    public static Optional<LinkUse> newest(SwapHistory history, long spanNs) {
        OptionalDouble rate = history.measuredRate();
        return rate.isEmpty()
                ? Optional.empty()
                : history.extent()
                        .map(all -> of(
                                history,
                                rate.getAsDouble(),
                                Math.max(all.startNs(), all.endNs() - spanNs),
                                all.endNs()));
    }

    /** All that is kept, in at most so many stretches of one length. Where nothing was copied shares are 0. */
    public static List<LinkUse> all(SwapHistory history, int most) {
        double rate = history.measuredRate().orElse(0);
        return history.extent()
                .map(extent -> within(history, rate, extent, LinkFrames.width(extent.spanNs(), most)))
                .orElse(List.of());
    }

    /** Stretches on multiples of their length: a later look shifts by whole ones, and none changes. */
    static List<LinkUse> within(SwapHistory history, double rate, TimeRange range, long widthNs) {
        List<LinkUse> uses = new ArrayList<>();
        long first = Math.floorDiv(range.startNs(), widthNs) * widthNs;
        for (long from = first; from < range.endNs(); from += widthNs) {
            uses.add(of(history, rate, from, from + widthNs));
        }
        return uses;
    }

    private static LinkUse of(SwapHistory history, double rate, long fromNs, long toNs) {
        double possible = rate * (toNs - fromNs) / NS_PER_S;
        double out = history.outBytes(fromNs, toNs);
        double in = history.inBytes(fromNs, toNs);
        return new LinkUse(fromNs, toNs, out, in, share(out, possible), share(in, possible));
    }

    /** Bytes are counted when a copy has arrived: a stretch shorter than a copy would else tell more than the link can do. */
    private static double share(double bytes, double possible) {
        return possible <= 0 ? 0 : Math.min(1, bytes / possible);
    }
}
