package dev.lacuna.core.planner;

import dev.lacuna.core.recompute.ChainPlan;
import dev.lacuna.core.recompute.graph.GraphPlan;
import dev.lacuna.core.recompute.online.EvictionHeuristic;
import dev.lacuna.core.recompute.online.OnlineRun;
import dev.lacuna.core.recompute.selective.SelectivePlan;
import dev.lacuna.core.swap.adaptive.AdaptivePlan;
import java.util.Optional;

/** What a plan does. */
public sealed interface PlannedChoice {
    /**
     * A schedule of a chain.
     *
     * @param tree the same as nested checkpoints, where it can be written so
     */
    record Chain(ChainPlan plan, Optional<CheckpointTree> tree) implements PlannedChoice {}

    /** A schedule of a graph. */
    record Graph(GraphPlan plan) implements PlannedChoice {}

    /** An action for each layer of a running process. */
    record Layers(AdaptivePlan plan) implements PlannedChoice {}

    /** Modules that each of a rank's layers recomputes. */
    record Selective(SelectivePlan plan) implements PlannedChoice {}

    /** Nothing is chosen ahead: a runtime evicts by this heuristic. This is what came of it. */
    record Online(EvictionHeuristic heuristic, OnlineRun run) implements PlannedChoice {}
}
