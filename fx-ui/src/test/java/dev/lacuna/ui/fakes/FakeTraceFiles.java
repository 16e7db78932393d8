package dev.lacuna.ui.fakes;

import dev.lacuna.core.base.counters.Phase;
import dev.lacuna.core.trace.TraceReaders;
import dev.lacuna.core.trace.model.AllocationTrace;
import dev.lacuna.core.trace.model.TraceSource;
import dev.lacuna.ui.places.whatif.TraceFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.DoubleConsumer;

/** Traces in memory; the example is a training run with sequences of varying length. */
public final class FakeTraceFiles implements TraceFiles {
    private final Map<String, String> files = new TreeMap<>();

    public FakeTraceFiles with(String path, String text) {
        files.put(path, text);
        return this;
    }

    @Override
    public TraceSource open(String path, DoubleConsumer progress) throws IOException {
        if (!files.containsKey(path)) {
            throw new NoSuchFileException(path);
        }
        return () -> {
            progress.accept(0.5);
            return TraceReaders.open(new ByteArrayInputStream(files.get(path).getBytes(StandardCharsets.UTF_8)));
        };
    }

    @Override
    public TraceSource example() {
        return training(30);
    }

    /** A run of so many steps, the lengths of whose sequences vary. */
    public static AllocationTrace training(int steps) {
        Random lengths = new Random(3);
        AllocationTrace.Builder trace = AllocationTrace.builder().phase(Phase.SETUP, true);
        for (int i = 0; i < 60; i++) {
            trace.alloc((i % 5 + 1) * (24L << 20), 0);
        }
        trace.phase(Phase.SETUP, false);
        for (int step = 0; step < steps; step++) {
            trace.phase(Phase.STEP, true);
            long length = 128 + lengths.nextInt(1920);
            Deque<Integer> activations = new ArrayDeque<>();
            for (int layer = 0; layer < 24; layer++) {
                activations.push(trace.alloc(length * 131_072, 0));
                activations.push(trace.alloc(length * length * 16, 0));
                trace.free(trace.alloc(length * 65_536, 0));
            }
            activations.forEach(trace::free);
            trace.phase(Phase.STEP, false);
        }
        return trace.build();
    }
}
