package dev.lacuna.bridge;

/**
 * What an agent says of its swapping.
 *
 * @param setting what holds
 * @param copies which processors copies and their host memory are kept to
 */
public record SwapFacts(SwapSetting setting, CopyPlace copies) {}
