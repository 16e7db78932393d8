package dev.lacuna.bridge;

import dev.lacuna.core.planning.swap.layer.LayerAction;

/**
 * Where what one layer saved for backward is now, and what the layer does.
 *
 * @param name path of the module, or what runs between layers
 * @param deviceBytes on the device
 * @param outBytes on the way to the host
 * @param hostBytes on the host
 * @param inBytes on the way back
 * @param asked what the policy asks of it; KEEP without a policy
 * @param does what it does
 * @param why the agent's word where it does not do what is asked, such as {@code in-place}; else empty
 */
public record LayerPlace(
        String name,
        long deviceBytes,
        long outBytes,
        long hostBytes,
        long inBytes,
        LayerAction asked,
        LayerAction does,
        String why) {}
