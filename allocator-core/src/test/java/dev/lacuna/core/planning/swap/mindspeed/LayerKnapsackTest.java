package dev.lacuna.core.planning.swap.mindspeed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.planning.swap.mindspeed.LayerCombination.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Golden values from the framework's own unit tests and from runs of its solver (facts, section 2.11). */
final class LayerKnapsackTest {
    private static final String NORM = "0.input_norm";
    private static final String ATTENTION = "0.self_attention";
    private static final LayerCombination RECOMPUTED =
            new LayerCombination(Kind.FULL_RECOMPUTE, List.of("0"), List.of(), 500, 100);
    private static final List<LayerCombination> COMBINATIONS = List.of(
            new LayerCombination(Kind.FULL_SWAP, List.of(), List.of("0"), 800, 80),
            RECOMPUTED,
            new LayerCombination(Kind.NONE, List.of(), List.of(), 1000, 50),
            adaptive(List.of(NORM), List.of(), 550, 95),
            adaptive(List.of(), List.of(NORM), 600, 90),
            adaptive(List.of(ATTENTION), List.of(NORM), 650, 85),
            adaptive(List.of(ATTENTION), List.of(), 700, 80),
            adaptive(List.of(NORM), List.of(ATTENTION), 750, 75),
            adaptive(List.of(), List.of(ATTENTION), 850, 70));

    @ParameterizedTest(name = "{0} stages, {1} interleaves, {2} MiB")
    @CsvSource(delimiter = '|', textBlock = """
                    1|1|999999|[[12, 3, 2, 2]]|12000|600
                    1|1|  6000|[[12, 0, 0, 0]]|6000|1200
                    1|1|  7000|[[12, 2, 0, 2]]|6600|1140
                    1|1|  8000|[[2, 3, 2, 2], [10, 2, 1, 2]]|8000|1000
                    1|1|  9000|[[12, 2, 0, 1]]|9000|900
                    1|1|  9600|[[4, 3, 2, 2], [8, 2, 2, 0]]|9600|840
                    1|1| 10000|[[4, 3, 2, 2], [8, 2, 0, 1]]|10000|800
                    1|1| 10200|[[6, 3, 2, 2], [6, 2, 2, 0]]|10200|780
                    1|1| 11000|[[8, 3, 2, 2], [4, 2, 0, 1]]|11000|700
                    1|1| 11900|[[11, 3, 2, 2], [1, 2, 2, 1]]|11850|620
                    1|1| 12000|[[12, 3, 2, 2]]|12000|600
                    2|1|999999|[[6, 3, 2, 2]]|12000|300
                    2|3|999999|[[6, 3, 2, 2]]|14000|300
                    2|1|  1000|[[6, 0, 0, 0]]|6000|600
                    2|1|  7000|[[6, 2, 0, 2]]|6600|570
                    2|1|  8000|[[1, 3, 2, 2], [5, 2, 1, 2]]|8000|500
                    2|1|  9000|[[6, 2, 0, 1]]|9000|450
                    2|1| 11000|[[4, 3, 2, 2], [2, 2, 0, 1]]|11000|350
                    2|3|  1000|[[6, 0, 0, 0]]|7000|600
                    2|3|  8000|[[6, 2, 0, 2]]|7700|570
                    2|3| 12000|[[2, 3, 2, 2], [4, 2, 0, 1]]|12000|400
                    2|3| 14000|[[6, 3, 2, 2]]|14000|300
                    """)
    void chooses_what_the_framework_chooses(
            int stages, int interleaves, int deviceMb, String rows, double memoryMb, double timeMs) {
        StagePlace place = new StagePlace(stages, interleaves, 0, 12, 8);

        StagePolicy policy = new LayerKnapsack(place, RECOMPUTED, COMBINATIONS).solve(deviceMb, 0);

        assertThat(policy.rows(List.of(NORM, ATTENTION))).hasToString(rows);
        assertThat(policy.memoryMb()).isEqualTo(memoryMb);
        assertThat(policy.timeMs()).isEqualTo(timeMs);
    }

    @Test
    void a_device_smaller_than_its_static_memory_leaves_full_recomputation() {
        StagePolicy policy =
                new LayerKnapsack(new StagePlace(1, 1, 0, 2, 1), RECOMPUTED, COMBINATIONS).solve(1000, 2000);

        assertThat(policy.layers()).containsOnly(RECOMPUTED);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    4|1|0|8|[4]
                    4|1|3|8|[1]
                    4|2|0|8|[7, 4]
                    4|2|1|8|[5, 4]
                    4|2|3|8|[4, 1]
                    2|3|0|8|[3, 2, 2]
                    2|3|1|8|[2, 2, 1]
                    4|4|2|8|[4, 4, 4, 3]
                    4|2|0|2|[4, 0]
                    1|1|0|8|[1]
                    """)
    void counts_micro_batches_in_flight(int stages, int interleaves, int rank, int microBatches, String expected) {
        assertThat(new StagePlace(stages, interleaves, rank, 24, microBatches).inFlight())
                .hasToString(expected);
    }

    private static LayerCombination adaptive(
            List<String> recompute, List<String> swap, double memoryMb, double timeMs) {
        return new LayerCombination(Kind.ADAPTIVE, recompute, swap, memoryMb, timeMs);
    }
}
