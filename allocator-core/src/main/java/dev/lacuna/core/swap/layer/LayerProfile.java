package dev.lacuna.core.swap.layer;

import java.util.List;

/** All layers of a device; {@code otherBytes} = peak allocated less what layers keep. */
public record LayerProfile(
        List<LayerMeasurement> layers,
        long stepNs,
        long peakAllocatedBytes,
        long limitBytes,
        long otherBytes,
        long linkBytesPerSecond) {
    public LayerProfile {
        layers = List.copyOf(layers);
    }
}
