package dev.lacuna.core.planning.method;

import dev.lacuna.core.planning.chain.ChainPlan;
import dev.lacuna.core.planning.graph.model.GraphPlan;
import dev.lacuna.core.planning.online.OnlineRun;
import dev.lacuna.core.planning.online.victim.EvictionHeuristic;
import dev.lacuna.core.planning.selective.SelectivePlan;
import dev.lacuna.core.planning.swap.adaptive.method.AdaptivePlan;
import dev.lacuna.core.planning.swap.kernel.SwapRun;
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

    /** Transfers between device, host and disk, kernel by kernel. */
    record Kernels(SwapRun run) implements PlannedChoice {}

    /** Nothing is chosen ahead: a runtime evicts by this heuristic. This is what came of it. */
    record Online(EvictionHeuristic heuristic, OnlineRun run) implements PlannedChoice {}
}
