package dev.lacuna.bridge.differential;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.hosted.HostedPlacement;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.PoolName;
import dev.lacuna.core.base.counters.PoolPolicy;
import dev.lacuna.core.trace.TraceReaders;
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

/**
 * Holds MindSpeed's rules in the C agent equal to the Java model, command by command: placements, what is reserved and its peak,
 * retries, out-of-memory. Left out is what a live process does otherwise by intent (docs/lifetime-pools.md, "In a live process").
 */
class NativeEqualsLifetimeModelTest {
    private static final long MIB = 1L << 20;
    private static final long RANGE_BYTES = 1L << 40;
    private static final int COMMANDS = 2000;
    private static final int SEEDS = 400;
    private static final int NIGHTLY_SEEDS = 4000;
    private static final int STEPS = 12;

    @Test
    void random_training_runs_are_placed_and_counted_alike() {
        LongStream.range(0, SEEDS).forEach(seed -> compareRandom(seed, COMMANDS));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.9, 0.97, 1.005, 1.05, 1.3, 4})
    void trainings_that_repeat_are_placed_and_counted_alike(double room) {
        LongStream.range(0, SEEDS / 4).forEach(seed -> compareMicroBatches(seed, room));
    }

    @Test
    @Tag("nightly")
    void many_trainings_are_placed_and_counted_alike() {
        LongStream.range(SEEDS, SEEDS + NIGHTLY_SEEDS).forEach(seed -> {
            compareRandom(seed, COMMANDS);
            compareMicroBatches(seed, 0.9 + seed % 50 / 100.0);
        });
    }

    static List<Path> traces() throws IOException {
        List<Path> files = new ArrayList<>();
        for (String folder : List.of("lifetime-pool", "traces")) {
            Path recorded = Path.of(System.getProperty("lacuna.data"), folder);
            if (Files.isDirectory(recorded)) {
                try (Stream<Path> listed = Files.list(recorded)) {
                    listed.filter(f -> f.toString().matches(".*\\.(trace|csv)"))
                            .sorted()
                            .forEach(files::add);
                }
            }
        }
        return files;
    }

    /** Those of the first folder are the lists by which the Java model is held to MindSpeed's own C++. */
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("traces")
    @Tag("conformance")
    void recorded_trainings_are_placed_and_counted_alike(Path file) throws IOException {
        List<Command> commands = NativeEqualsModelTest.commands(TraceReaders.read(file), 1);
        long peak = peak(commands);
        for (double room : new double[] {0.9, 0.97, 1.005, 1.05, 1.3, 4}) {
            differential((long) (peak * room), 0).assertAgreement(file + ", room " + room, commands);
        }
    }

    /** From 1.8 GB on a free block is kept whole outside forward passes, unless little of it would be left. */
    @Test
    void a_block_above_the_threshold_is_kept_from_small_requests_alike() {
        List<Command> commands = List.of(
                Command.alloc(0, 1_900_000_000L, 0),
                Command.free(0),
                Command.alloc(1, 50 * MIB, 0),
                Command.alloc(2, 1_890_000_000L, 0),
                Command.free(2),
                Command.alloc(3, 1_799_999_999L, 0),
                Command.alloc(4, 3 * MIB, 0));
        differential(8L << 30, 0).assertAgreement("large blocks", commands);
    }

    /** Guards the other tests: trainings that never get into trouble would prove nothing. */
    @Test
    void the_trainings_reach_every_pool_and_level() {
        long retries = 0;
        long ooms = 0;
        Set<PoolName> used = EnumSet.noneOf(PoolName.class);
        for (long seed = 0; seed < SEEDS / 4; seed++) {
            List<Command> commands = new RandomMicroBatches(seed).commands(STEPS);
            try (Home agent = new NativeHome(setting((long) (peak(commands) * 0.9), 0))) {
                agent.run(commands).forEach(p -> p.map(HostedPlacement::pool).ifPresent(used::add));
                MemoryCounters counters = agent.counters();
                retries += counters.retries();
                ooms += counters.ooms();
            }
        }
        assertThat(used).hasSize(4).doesNotContain(PoolName.STOCK_SMALL, PoolName.STOCK_LARGE);
        assertThat(retries).isGreaterThan(1000);
        assertThat(ooms).isGreaterThan(100);
    }

    private static void compareRandom(long seed, int count) {
        RandomTraining training = new RandomTraining(seed);
        List<Command> commands = new ArrayList<>();
        if (seed % 3 == 0) {
            commands.add(Command.limit((long) (training.setting().capacityBytes() * 0.9)));
        }
        training.commands(count).stream()
                .filter(NativeEqualsLifetimeModelTest::isCompared)
                .forEach(commands::add);
        Setting was = training.setting();
        differential(was.capacityBytes(), was.otherBytes()).assertAgreement("seed " + seed, commands);
    }

    private static void compareMicroBatches(long seed, double room) {
        List<Command> commands = new RandomMicroBatches(seed).commands(STEPS);
        differential((long) (peak(commands) * room), 0).assertAgreement("seed " + seed + ", room " + room, commands);
    }

    private static boolean isCompared(Command c) {
        return switch (c.kind()) {
            case ALLOC -> c.value() <= RANGE_BYTES;
            case FREE, PHASE, EMPTY_CACHE -> true;
            case OPTIMISATION, LIMIT, RECORD_STREAM, STREAM_DONE -> false;
        };
    }

    private static long peak(List<Command> commands) {
        try (Home model = setting(RANGE_BYTES, 0).model()) {
            model.run(commands);
            return model.counters().peakReservedBytes();
        }
    }

    private static Differential differential(long capacityBytes, long otherBytes) {
        return new Differential(setting(capacityBytes, otherBytes));
    }

    private static Setting setting(long capacityBytes, long otherBytes) {
        return new Setting(capacityBytes, otherBytes, RANGE_BYTES, true, PoolPolicy.LIFETIME);
    }
}
