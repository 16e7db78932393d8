package dev.lacuna.core.bench;

import dev.lacuna.core.base.counters.Phase;
import dev.lacuna.core.trace.TraceReaders;
import dev.lacuna.core.trace.model.AllocationTrace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/** What is measured: the recorded traces of a folder, and a made one that is always there. */
final class BenchTraces {
    /** The made trace: training with batches of varying length. */
    static final String MADE = "made-variable";

    private static final int LAYERS = 24;
    private static final int STEPS = 60;

    private BenchTraces() {}

    /** All traces by name; {@code folder} may be missing. */
    static Map<String, AllocationTrace> all(Path folder) throws IOException {
        Map<String, AllocationTrace> traces = new LinkedHashMap<>();
        traces.put(MADE, made());
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.filter(f -> f.toString().endsWith(".csv")).sorted().toList()) {
                    traces.put(file.getFileName().toString().replace(".csv", ""), TraceReaders.read(file));
                }
            }
        }
        return traces;
    }

    private static AllocationTrace made() {
        Random random = new Random(1);
        AllocationTrace.Builder trace = AllocationTrace.builder();
        for (int i = 0; i < LAYERS; i++) {
            trace.alloc(12L << 20, 0);
            trace.alloc(8 << 10, 0);
        }
        for (int step = 0; step < STEPS; step++) {
            trace.phase(Phase.STEP, true);
            step(trace, 256L * (1 + random.nextInt(8)));
            trace.phase(Phase.STEP, false);
        }
        return trace.build();
    }

    private static void step(AllocationTrace.Builder trace, long length) {
        List<Integer> kept = new ArrayList<>();
        for (int layer = 0; layer < LAYERS; layer++) {
            kept.add(trace.alloc(length * 4096, 0));
            kept.add(trace.alloc(length * length * 16, 0));
            trace.free(trace.alloc(length * 12288, 0));
            kept.add(trace.alloc(length * 8, 0));
        }
        while (!kept.isEmpty()) {
            int gradient = trace.alloc(length * 8192, 0);
            trace.free(kept.remove(kept.size() - 1).intValue());
            trace.free(gradient);
        }
    }
}
