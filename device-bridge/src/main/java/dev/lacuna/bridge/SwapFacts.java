package dev.lacuna.bridge;

import java.util.OptionalInt;

/**
 * What an agent says of its swapping.
 *
 * @param setting what holds
 * @param numaNode the node on which the host's memory is taken; empty where nobody tells
 */
public record SwapFacts(SwapSetting setting, OptionalInt numaNode) {}
