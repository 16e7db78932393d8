package dev.lacuna.core.planning.swap.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lacuna.core.planning.swap.mindspeed.LayerCombination;
import dev.lacuna.core.planning.swap.mindspeed.LayerCombination.Kind;
import dev.lacuna.core.planning.swap.mindspeed.LayerKnapsack;
import dev.lacuna.core.planning.swap.mindspeed.StagePlace;
import dev.lacuna.core.planning.swap.mindspeed.StagePolicy;
import dev.lacuna.core.planning.swap.stage.StageOptimum.Choice;
import dev.lacuna.core.planning.swap.stage.StageOptimum.Solution;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class StageOptimumTest {
    private static final Choice KEEP = choice(100, 0, 0);
    private static final Choice SWAP = choice(10, 0, 15);
    private static final Choice RECOMPUTE = choice(20, 10, 0);

    private static Choice choice(double memoryMb, double timeMs, double copyMs) {
        return new Choice(new LayerCombination(Kind.ADAPTIVE, List.of(), List.of(), memoryMb, timeMs), copyMs);
    }

    private static StagePlace layers(int count) {
        return new StagePlace(1, 1, 0, count, 4);
    }

    @Test
    void costs_nothing_where_everything_fits() {
        Solution solution = new StageOptimum(layers(6), 10, 20, 30, List.of(KEEP, SWAP, RECOMPUTE))
                .solve(600)
                .orElseThrow();
        assertThat(solution.timeMs()).isZero();
        assertThat(solution.proven()).isTrue();
    }

    @Test
    void swaps_early_layers_so_that_the_copies_hide_behind_the_later_ones() {
        StageOptimum optimum = new StageOptimum(layers(6), 10, 20, 30, List.of(KEEP, SWAP, RECOMPUTE));
        Solution solution = optimum.solve(420).orElseThrow();
        assertThat(solution.timeMs()).isZero();
        assertThat(solution.layers().get(5)).isEqualTo(KEEP);
        assertThat(optimum.timeMs(List.of(KEEP, KEEP, KEEP, KEEP, SWAP, SWAP))).isGreaterThan(0);
    }

    @Test
    void nothing_fits_below_the_leanest_assignment() {
        StageOptimum optimum = new StageOptimum(layers(6), 10, 20, 30, List.of(KEEP, SWAP, RECOMPUTE));
        assertThat(optimum.solve(59)).isEmpty();
        assertThat(optimum.solve(60)).isPresent();
    }

    @Test
    void no_assignment_is_faster() {
        Random random = new Random(11);
        for (int round = 0; round < 200; round++) {
            StagePlace place =
                    new StagePlace(2, 1 + random.nextInt(2), random.nextInt(2), 8 + 2 * random.nextInt(2), 8);
            List<Choice> choices = choices(random, 3, true);
            StageOptimum optimum =
                    new StageOptimum(place, random.nextInt(20), random.nextInt(40), random.nextInt(40), choices);
            double budget = random.nextInt(1500);
            double best = fastest(optimum, place, choices, budget, new ArrayList<>());
            Optional<Solution> solution = optimum.solve(budget);
            assertThat(solution.isPresent()).isEqualTo(best < Double.POSITIVE_INFINITY);
            solution.ifPresent(found -> {
                assertThat(found.timeMs()).isCloseTo(best, within(1e-6));
                assertThat(found.timeMs()).isCloseTo(optimum.timeMs(found.layers()), within(1e-6));
                assertThat(found.memoryMb()).isCloseTo(memory(place, found.layers()), within(1e-6));
                assertThat(found.memoryMb()).isLessThanOrEqualTo(budget + 1e-6);
                assertThat(found.proven()).isTrue();
            });
        }
    }

    private static double fastest(
            StageOptimum optimum, StagePlace place, List<Choice> choices, double budget, List<Choice> taken) {
        if (taken.size() == place.layersHere()) {
            return memory(place, taken) <= budget + 1e-9 ? optimum.timeMs(taken) : Double.POSITIVE_INFINITY;
        }
        double best = Double.POSITIVE_INFINITY;
        for (Choice each : choices) {
            taken.add(each);
            best = Math.min(best, fastest(optimum, place, choices, budget, taken));
            taken.remove(taken.size() - 1);
        }
        return best;
    }

    private static double memory(StagePlace place, List<Choice> layers) {
        double sum = 0;
        for (int i = 0; i < layers.size(); i++) {
            sum += place.inFlightByLayer().get(i) * layers.get(i).combination().memoryMb();
        }
        return sum;
    }

    @Test
    void is_never_slower_than_the_knapsack_of_the_framework_and_sometimes_faster() {
        Random random = new Random(5);
        int faster = 0;
        for (int round = 0; round < 200; round++) {
            StagePlace place = new StagePlace(2, 1 + random.nextInt(3), random.nextInt(2), 24, 8);
            List<Choice> choices = choices(random, 6, false);
            double budget = 200 + random.nextInt(6000);
            LayerCombination full = choices.get(0).combination();
            StagePolicy knapsack = new LayerKnapsack(
                            place,
                            full,
                            choices.stream().map(Choice::combination).toList())
                    .solve(budget, 0);
            if (knapsack.memoryMb() > budget) {
                continue;
            }
            Solution optimum =
                    new StageOptimum(place, 10, 20, 0, choices).solve(budget).orElseThrow();
            assertThat(optimum.timeMs()).isLessThanOrEqualTo(knapsack.timeMs() + 1e-6);
            faster += optimum.timeMs() < knapsack.timeMs() - 1e-6 ? 1 : 0;
        }
        assertThat(faster).isPositive();
    }

    @Test
    void where_assignments_were_cut_a_bound_says_how_far_from_the_best_it_may_be() {
        Random random = new Random(12);
        int cut = 0;
        for (int round = 0; round < 3; round++) {
            List<Choice> choices = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                choices.add(choice(100 - 15 * i + random.nextDouble(), 10 * i + 9 * random.nextDouble(), 0));
                choices.add(choice(100 - 15 * i + random.nextDouble(), 5 * i * random.nextDouble(), 9 + i));
            }
            StageOptimum optimum = new StageOptimum(layers(24), 5, 10, 8, choices);
            Solution solution = optimum.solve(1400, 3, 6).orElseThrow();
            Solution best = optimum.solve(1400).orElseThrow();
            assertThat(best.proven()).isTrue();
            assertThat(solution.boundMs()).isNotNegative().isLessThanOrEqualTo(best.timeMs() + 1e-9);
            assertThat(solution.timeMs()).isGreaterThanOrEqualTo(best.timeMs() - 1e-9);
            assertThat(solution.proven()).isEqualTo(solution.boundMs() == solution.timeMs());
            cut += solution.proven() ? 0 : 1;
        }
        assertThat(cut).isPositive();
    }

    private static List<Choice> choices(Random random, int count, boolean copies) {
        List<Choice> choices = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            choices.add(choice(
                    1 + random.nextInt(100),
                    random.nextBoolean() ? 0 : random.nextInt(30),
                    copies && random.nextBoolean() ? random.nextInt(40) : 0));
        }
        return choices;
    }
}
