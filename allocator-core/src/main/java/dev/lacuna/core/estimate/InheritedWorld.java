package dev.lacuna.core.estimate;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The number of devices that an input tells, under a layout that somebody tries instead of the input's: where the layout
 * does not divide it, the number was the old layout's and is forgotten rather than held against the new one.
 */
final class InheritedWorld {
    private static final List<String> DEVICES = List.of("world-size", "nproc-per-node", "nnodes");
    private static final List<String> LAYOUT =
            List.of("tensor-model-parallel-size", "pipeline-model-parallel-size", "context-parallel-size");

    private InheritedWorld() {}

    /** The input's arguments, without its number of devices where that goes with its own layout alone. */
    static Arguments left(Arguments input, Arguments overriding) throws EstimateException {
        boolean other = LAYOUT.stream().anyMatch(name -> overriding.text(name).isPresent());
        boolean told = DEVICES.stream().anyMatch(name -> overriding.text(name).isPresent());
        if (!other || told || divides(input.with(overriding))) {
            return input;
        }
        Map<String, String> values = new HashMap<>(input.values());
        DEVICES.forEach(values::remove);
        return new Arguments(values);
    }

    private static boolean divides(Arguments merged) throws EstimateException {
        long split = 1;
        for (String name : LAYOUT) {
            split = Math.min(split * merged.number(name, 1, 1), Integer.MAX_VALUE);
        }
        long perNode = (long) merged.number("nproc-per-node", 1, 1) * merged.number("nnodes", 1, 1);
        return merged.number("world-size", (int) Math.min(perNode, Integer.MAX_VALUE), 1) % split == 0;
    }
}
