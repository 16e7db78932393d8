package dev.lacuna.app.cli.plan;

import dev.lacuna.core.planning.method.DeviceCard;
import java.util.Optional;

/**
 * Speeds of a device on which something has not run yet.
 *
 * @param flops that it sustains a second, where they were given
 * @param link rate of its link to the host, bytes a second each way, where it was given; 0: nothing is swapped
 * @param card the kind of device, where one was named
 */
record PlanSpeeds(Optional<Double> flops, Optional<Long> link, Optional<DeviceCard> card) {
    /** Said with every result that it enters: what one A100 sustains in well-tuned training is 100 to 160 T. */
    private static final double USUAL_FLOPS = 1e14;
    /** Said with every result that it enters: large copies over PCIe 4.0 with sixteen lanes. */
    private static final long USUAL_LINK = 24_000_000_000L;

    /** Floating-point operations a second: given, the card's, or the usual ones. */
    double flopsPerSecond() {
        return flops.or(() -> card.map(DeviceCard::sustainedFlops)).orElse(USUAL_FLOPS);
    }

    /** Rate of the link that somebody named, himself or by the card. */
    Optional<Long> statedLink() {
        return link.or(() -> card.map(DeviceCard::linkBytesPerSecond));
    }

    /** Bytes a second each way: given, the card's, or the usual ones. */
    long linkBytesPerSecond() {
        return statedLink().orElse(USUAL_LINK);
    }
}
