package dev.lacuna.bridge;

import java.util.List;

/**
 * What an agent says of its swapping.
 *
 * @param setting what holds
 * @param copies which processors copies and their host memory are kept to
 * @param rules by which it could choose for each saved tensor; none before its first forward, and of older agents
 */
public record SwapFacts(SwapSetting setting, CopyPlace copies, List<String> rules) {
    public SwapFacts {
        rules = List.copyOf(rules);
    }
}
