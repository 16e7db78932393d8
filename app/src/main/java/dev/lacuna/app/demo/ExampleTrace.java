package dev.lacuna.app.demo;

import dev.lacuna.core.base.counters.Phase;
import dev.lacuna.core.trace.model.AllocationTrace;

/** The requests of the built-in workload, a GPT on sequences of varying length, as a trace. */
public final class ExampleTrace {
    private static final long SEED = 1;
    private static final int STEPS = 40;
    private static final int STREAM = 0;

    private ExampleTrace() {}

    /** The trace, the same every time. */
    public static AllocationTrace make() {
        AllocationTrace.Builder trace = AllocationTrace.builder();
        GptRequests requests = new GptRequests(new Recorded(trace), SEED, DemoSize.LARGEST.tokens());
        requests.setUp();
        for (int step = 0; step < STEPS; step++) {
            requests.step(() -> {});
        }
        return trace.build();
    }

    private record Recorded(AllocationTrace.Builder trace) implements GptRequests.Memory {
        @Override
        public long allocate(long bytes) {
            return trace.alloc(bytes, STREAM);
        }

        @Override
        public void free(long block) {
            trace.free((int) block);
        }

        @Override
        public void phase(Phase phase, boolean begins) {
            trace.phase(phase, begins);
        }
    }
}
