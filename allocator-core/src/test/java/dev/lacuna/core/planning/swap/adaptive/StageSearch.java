package dev.lacuna.core.planning.swap.adaptive;

import dev.lacuna.core.planning.swap.mindspeed.BudgetSearch;
import dev.lacuna.core.planning.swap.mindspeed.CombinationGenerator;
import dev.lacuna.core.planning.swap.mindspeed.LayerCombination;
import dev.lacuna.core.planning.swap.mindspeed.LayerCombination.Kind;
import dev.lacuna.core.planning.swap.mindspeed.LayerKnapsack;
import dev.lacuna.core.planning.swap.mindspeed.ModuleProfile;
import dev.lacuna.core.planning.swap.mindspeed.NoBudgetFitsException;
import dev.lacuna.core.planning.swap.mindspeed.StagePlace;
import dev.lacuna.core.planning.swap.mindspeed.StagePolicy;
import dev.lacuna.core.planning.swap.mindspeed.StepOutcome;
import dev.lacuna.core.planning.swap.stage.StageOptimum;
import dev.lacuna.core.planning.swap.stage.StageOptimum.Choice;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/** What equal layers of a stage may do, and the time that this adds to a micro-batch. */
record StageSearch(StagePlace place, double forwardMs, double keptMb, double inputMb, double copyMs) {
    private static final String MODULE = "all";
    /** MindSpeed takes swapping for hidden while a layer's forward pass gets no slower than this. */
    private static final double HIDDEN = 1.05;

    /** The best mix; room for a layer being made again is kept only where one is. */
    Optional<Double> best(double budgetMb) {
        return List.of(
                        fastest(budgetMb - keptMb, List.of(keep(), swap())),
                        fastest(budgetMb - keptMb, List.of(keep(), swap(), again())),
                        fastest(budgetMb, List.of(keep())))
                .stream()
                .flatMap(Optional::stream)
                .min(Double::compare);
    }

    /** MindSpeed's: a step runs out of memory where the layers do not fit, with room for one that is made again or comes back. */
    Optional<Double> mindspeed(double budgetMb) {
        ModuleProfile layer = measured();
        List<LayerCombination> candidates =
                new CombinationGenerator().candidates(layer, CombinationGenerator.Filter.EXACT);
        LayerKnapsack knapsack = new LayerKnapsack(place, candidates.get(0), candidates);
        IntFunction<StagePolicy> policyOf = budget -> knapsack.solve(budget, 0);
        BudgetSearch<StagePolicy> search = new BudgetSearch<>((int) budgetMb, 0, policyOf);
        try {
            while (!search.stable()) {
                boolean fits = needsMb(policyOf.apply(search.budgetMb())) <= budgetMb;
                search.stepEnded(fits ? StepOutcome.FINE : new StepOutcome(Long.MAX_VALUE, 1));
            }
        } catch (NoBudgetFitsException e) {
            return Optional.empty();
        }
        List<Choice> found = done(policyOf.apply(search.budgetMb()));
        return Optional.of(
                stage(found).timeMs(found)); // what it really takes, copies that these layers do not hide too
    }

    private double needsMb(StagePolicy policy) {
        List<Integer> inFlight = place.inFlightByLayer();
        List<Choice> layers = done(policy);
        double held = 0;
        for (int i = 0; i < layers.size(); i++) {
            held += inFlight.get(i) * layers.get(i).combination().memoryMb();
        }
        boolean leave = layers.stream().anyMatch(each -> each.combination().kind() != Kind.NONE);
        return held + (leave ? keptMb : 0);
    }

    private List<Choice> done(StagePolicy policy) {
        return policy.layers().stream().map(this::done).toList();
    }

    private Choice done(LayerCombination layer) {
        return switch (layer.kind()) {
            case NONE -> keep();
            case FULL_RECOMPUTE -> again();
            case FULL_SWAP -> swap();
            case ADAPTIVE -> layer.recompute().isEmpty() ? swap() : again();
        };
    }

    private Choice keep() {
        return choice(Kind.NONE, keptMb, 0, 0);
    }

    private Choice swap() {
        return choice(Kind.FULL_SWAP, 0, 0, copyMs);
    }

    private Choice again() {
        return choice(Kind.FULL_RECOMPUTE, inputMb, forwardMs, 0);
    }

    private static Choice choice(Kind kind, double memoryMb, double timeMs, double copyMs) {
        return new Choice(new LayerCombination(kind, List.of(), List.of(), memoryMb, timeMs), copyMs);
    }

    private Optional<Double> fastest(double budgetMb, List<Choice> choices) {
        return stage(choices).solve(budgetMb).map(StageOptimum.Solution::timeMs);
    }

    private StageOptimum stage(List<Choice> choices) {
        return new StageOptimum(place, forwardMs, 2 * forwardMs, copyMs, choices);
    }

    private ModuleProfile measured() {
        Optional<ModuleProfile.Swap> moved =
                Optional.of(new ModuleProfile.Swap(keptMb, Math.max(0, copyMs - forwardMs)));
        Optional<ModuleProfile.Cost> cost =
                Optional.of(new ModuleProfile.Cost(keptMb + inputMb, inputMb, inputMb, forwardMs, moved));
        boolean hidden = copyMs <= HIDDEN * forwardMs;
        return new ModuleProfile("0", cost, false, List.of(new ModuleProfile(MODULE, cost, hidden, List.of())));
    }
}
