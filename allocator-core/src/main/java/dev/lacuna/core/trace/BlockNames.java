package dev.lacuna.core.trace;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

/** Which block number a name stands for while that block is live. Names may be used again after a free. */
final class BlockNames<K> {
    private final Map<K, Integer> live = new HashMap<>();

    boolean isLive(K name) {
        return live.containsKey(name);
    }

    void born(K name, int block) {
        live.put(name, block);
    }

    /** The block that this name stood for until now; empty when none. */
    OptionalInt freed(K name) {
        Integer block = live.remove(name);
        return block == null ? OptionalInt.empty() : OptionalInt.of(block);
    }
}
