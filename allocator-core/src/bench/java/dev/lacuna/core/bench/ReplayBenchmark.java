package dev.lacuna.core.bench;

import dev.lacuna.core.allocator.AllocatorPolicies;
import dev.lacuna.core.allocator.model.AllocatorPolicy;
import dev.lacuna.core.replay.Replay;
import dev.lacuna.core.replay.ReplayResult;
import dev.lacuna.core.replay.ReplaySettings;
import dev.lacuna.core.trace.model.AllocationTrace;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** How many events of a trace a policy handles per second; {@code events} is the figure. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class ReplayBenchmark {
    private static final long AMPLE = 1L << 40;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** Name of the policy. */
    @Param("caching")
    public String policy;

    /** Name of the trace; see {@link BenchTraces}. */
    @Param(BenchTraces.MADE)
    public String trace;

    /** The folder with recorded traces. */
    @Param(".")
    public String folder;

    private AllocationTrace read;
    private AllocatorPolicy chosen;

    /** Counts the events of all replays; JMH divides by the time. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Events {
        /** Events so far. */
        public long events;

        /** CPU time of the replays so far, ns: what a busy machine leaves unchanged. */
        public long cpuNs;

        /** Starts again with each iteration. */
        @Setup(Level.Iteration)
        public void clear() {
            events = 0;
            cpuNs = 0;
        }
    }

    /** Reads the trace. */
    @Setup
    public void read() throws IOException {
        read = BenchTraces.all(Path.of(folder)).get(trace);
        chosen = AllocatorPolicies.named(policy).orElseThrow();
    }

    /** One replay with memory to spare. */
    @Benchmark
    public ReplayResult replay(Events counted) {
        long began = THREADS.getCurrentThreadCpuTime();
        ReplayResult result = new Replay(read, ReplaySettings.RECORDED.capacity(AMPLE)).run(chosen);
        counted.cpuNs += THREADS.getCurrentThreadCpuTime() - began;
        counted.events += read.size();
        return result;
    }
}
