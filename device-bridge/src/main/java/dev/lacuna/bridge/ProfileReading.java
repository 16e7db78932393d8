package dev.lacuna.bridge;

import dev.lacuna.core.planning.swap.layer.LayerProfile;

/**
 * What was measured of a device's layers so far.
 *
 * @param profile the last whole measurement; layers without steps before the first
 * @param measuring whether one is under way or waits for the next forward
 */
public record ProfileReading(LayerProfile profile, boolean measuring) {}
