package dev.lacuna.core.estimate.input;

import dev.lacuna.core.base.RefusedException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What an input says, left out where somebody overrides its counterpart: a number of devices that only the input's own layout divides, the
 * other precision, the method that went with another granularity of recomputation.
 */
public final class InheritedSettings {
    private static final List<String> DEVICES = List.of("world-size", "nproc-per-node", "nnodes");
    private static final String DATA = "data-parallel-size";
    private static final List<String> LAYOUT =
            List.of("tensor-model-parallel-size", "pipeline-model-parallel-size", "context-parallel-size");

    private InheritedSettings() {}

    /** The input's arguments, without what goes with its own settings alone. */
    public static Arguments left(Arguments input, Arguments overriding) throws RefusedException {
        Set<String> replaced = new HashSet<>();
        if (overriding.on("fp16")) {
            replaced.add("bf16");
        }
        if (overriding.on("bf16")) {
            replaced.add("fp16");
        }
        if (overriding.text("recompute-granularity").isPresent()) {
            replaced.addAll(List.of("recompute-method", "recompute-num-layers", "recompute-modules"));
        }
        if (DEVICES.stream().anyMatch(name -> overriding.text(name).isPresent())) {
            replaced.add(DATA);
        } else if (overriding.text(DATA).isPresent()) {
            replaced.addAll(DEVICES);
        }
        Arguments left = input.without(replaced);
        boolean other = LAYOUT.stream().anyMatch(name -> overriding.text(name).isPresent());
        boolean reported =
                DEVICES.stream().anyMatch(name -> overriding.text(name).isPresent());
        return !other || reported || divides(left.with(overriding)) ? left : left.without(DEVICES);
    }

    private static boolean divides(Arguments merged) throws RefusedException {
        long split = 1;
        for (String name : LAYOUT) {
            split = Math.min(split * merged.number(name, 1, 1), Integer.MAX_VALUE);
        }
        long perNode = (long) merged.number("nproc-per-node", 1, 1) * merged.number("nnodes", 1, 1);
        return merged.number("world-size", (int) Math.min(perNode, Integer.MAX_VALUE), 1) % split == 0;
    }
}
