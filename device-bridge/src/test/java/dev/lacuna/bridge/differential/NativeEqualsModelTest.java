package dev.lacuna.bridge.differential;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.hosted.HostedPlacement;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.PoolName;
import dev.lacuna.core.trace.TraceReaders;
import dev.lacuna.core.trace.model.AllocationTrace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Holds the two homes of the algorithm equal: the C agent and the Java model, command by command. */
class NativeEqualsModelTest {
    private static final int COMMANDS = 2000;
    private static final int SEEDS = 250;
    private static final int NIGHTLY_COMMANDS = 20_000;
    private static final int NIGHTLY_SEEDS = 3000;
    private static final long[] CPU_SCALES = {1, 16, 64};
    private static final long RANGE_BYTES = 1L << 40;

    @Test
    void random_training_runs_are_placed_and_counted_alike() {
        LongStream.range(0, SEEDS).forEach(seed -> compareRandom(seed, COMMANDS));
    }

    @Test
    @Tag("nightly")
    void many_long_random_training_runs_are_placed_and_counted_alike() {
        LongStream.range(SEEDS, SEEDS + NIGHTLY_SEEDS).forEach(seed -> compareRandom(seed, NIGHTLY_COMMANDS));
    }

    /** A placement looks at 64 pieces that fit, extends 16 and spans 16 holes; here there are about as many. */
    @ParameterizedTest
    @ValueSource(ints = {14, 15, 16, 17, 18, 31, 32, 33, 34, 62, 63, 64, 65, 66, 67})
    void gaps_around_the_number_that_is_looked_at_are_placed_alike(int gaps) {
        long mib = 1L << 20;
        List<Command> commands = new ArrayList<>();
        for (int id = 0; id < 2 * gaps; id++) {
            commands.add(Command.alloc(id, 4 * mib, 0));
        }
        for (int id = 0; id < 2 * gaps; id += 2) {
            commands.add(Command.free(id));
        }
        commands.add(Command.alloc(998, 3 * mib, 0));
        commands.add(Command.free(998));
        commands.add(Command.emptyCache());
        commands.add(Command.alloc(1000, 8 * mib, 0));
        commands.add(Command.alloc(1001, 9 * mib, 0));
        commands.add(Command.free(1000));
        commands.add(Command.alloc(1002, 4 * mib, 0));
        commands.add(Command.alloc(1003, 3 * mib, 0));
        for (int id = 1; id < 2 * gaps; id += 2) {
            commands.add(Command.free(id));
        }
        commands.add(Command.alloc(1004, gaps * 3 * mib, 0));
        commands.add(Command.alloc(1005, gaps * 5 * mib, 0));
        new Differential(new Setting(4L << 30, 0, RANGE_BYTES, true)).assertAgreement(gaps + " gaps", commands);
    }

    /** Guards the other tests: a generator that never gets into trouble would prove nothing. */
    @Test
    void random_training_runs_reach_every_rule() {
        long remaps = 0;
        long retries = 0;
        long ooms = 0;
        long pendingRuns = 0;
        Set<PoolName> poolsUsed = EnumSet.noneOf(PoolName.class);
        for (long seed = 0; seed < SEEDS; seed++) {
            RandomTraining training = new RandomTraining(seed);
            try (Home model = new ModelHome(training.setting())) {
                model.run(training.commands(COMMANDS))
                        .forEach(p -> p.map(HostedPlacement::pool).ifPresent(poolsUsed::add));
                MemoryCounters counters = model.counters();
                remaps += counters.remaps();
                retries += counters.retries();
                ooms += counters.ooms();
                pendingRuns += counters.gap().pendingBytes() > 0 ? 1 : 0;
            }
        }
        assertThat(poolsUsed).containsExactlyInAnyOrder(PoolName.values());
        assertThat(remaps).isGreaterThan(SEEDS);
        assertThat(retries).isGreaterThan(SEEDS);
        assertThat(ooms).isGreaterThan(SEEDS);
        assertThat(pendingRuns).isGreaterThan(10);
    }

    static List<Path> traces() throws IOException {
        Path recorded = Path.of(System.getProperty("lacuna.data"), "traces");
        if (!Files.isDirectory(recorded)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(recorded)) {
            return files.filter(f -> f.toString().endsWith(".csv")).sorted().toList();
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("traces")
    @Tag("conformance")
    void recorded_training_runs_are_placed_and_counted_alike(Path file) throws IOException {
        AllocationTrace trace = TraceReaders.read(file);
        boolean cpu = file.getFileName().toString().startsWith("cpu_");
        for (long scale : cpu ? CPU_SCALES : new long[] {1}) {
            List<Command> commands = commands(trace, scale);
            long peak = peakAllocated(commands);
            for (double factor : new double[] {0.97, 1.005, 1.02, 1.05, 1.3}) {
                for (boolean optimisation : new boolean[] {true, false}) {
                    Setting setting = new Setting((long) (peak * factor), 0, RANGE_BYTES, optimisation);
                    new Differential(setting).assertAgreement(file + " at scale " + scale, commands);
                }
            }
        }
    }

    private static void compareRandom(long seed, int count) {
        RandomTraining training = new RandomTraining(seed);
        new Differential(training.setting()).assertAgreement("seed " + seed, training.commands(count));
    }

    private static long peakAllocated(List<Command> commands) {
        try (Home model = new ModelHome(new Setting(RANGE_BYTES, 0, RANGE_BYTES, true))) {
            model.run(commands);
            return model.counters().peakAllocatedBytes();
        }
    }

    static List<Command> commands(AllocationTrace trace, long scale) {
        List<Command> commands = new ArrayList<>(trace.size());
        for (int i = 0; i < trace.size(); i++) {
            switch (trace.operation(i)) {
                case ALLOC -> commands.add(Command.alloc(trace.block(i), trace.bytes(i) * scale, trace.stream(i)));
                case FREE -> commands.add(Command.free(trace.block(i)));
                case PHASE -> commands.add(Command.phase(trace.phase(i), trace.begins(i)));
                case EMPTY_CACHE -> commands.add(Command.emptyCache());
                case STATS, OUTSIDE, LIMIT -> {}
            }
        }
        return commands;
    }
}
