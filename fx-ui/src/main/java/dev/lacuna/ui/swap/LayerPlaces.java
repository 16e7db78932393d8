package dev.lacuna.ui.swap;

import dev.lacuna.core.swap.layer.LayerAction;
import java.util.Optional;

/**
 * Where one layer's saved bytes are now.
 *
 * @param name path of the module
 * @param deviceBytes on the device
 * @param outBytes on the way to the host
 * @param hostBytes on the host
 * @param inBytes on the way back
 * @param asked what the policy in force asks of it; empty without a policy
 * @param holds what it does; empty where nothing was told
 * @param why the agent's word where the two differ, else empty
 */
public record LayerPlaces(
        String name,
        long deviceBytes,
        long outBytes,
        long hostBytes,
        long inBytes,
        Optional<LayerAction> asked,
        Optional<LayerAction> holds,
        String why) {

    /** All of them together. */
    public long totalBytes() {
        return deviceBytes + outBytes + hostBytes + inBytes;
    }

    /** Two layers as one, for totals. */
    LayerPlaces plus(LayerPlaces other) {
        return new LayerPlaces(
                name,
                deviceBytes + other.deviceBytes,
                outBytes + other.outBytes,
                hostBytes + other.hostBytes,
                inBytes + other.inBytes,
                asked,
                holds,
                why);
    }

    static LayerPlaces none(String name) {
        return new LayerPlaces(name, 0, 0, 0, 0, Optional.empty(), Optional.empty(), "");
    }
}
