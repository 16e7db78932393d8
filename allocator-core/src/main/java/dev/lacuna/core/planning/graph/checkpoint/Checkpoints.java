package dev.lacuna.core.planning.graph.checkpoint;

import dev.lacuna.core.planning.graph.model.GraphProfile;
import dev.lacuna.core.planning.graph.model.StageSchedule;
import java.util.ArrayDeque;
import java.util.BitSet;

/**
 * Schedules that keep some nodes of the forward pass and compute each of the others once again, when the backward pass
 * first needs it, from what is kept.
 */
public final class Checkpoints {
    private Checkpoints() {}

    /** The schedule that keeps the nodes of the forward pass set in {@code kept}. */
    public static StageSchedule schedule(GraphProfile graph, BitSet kept) {
        return schedule(graph, kept, graph.firstBackward());
    }

    /** The schedule in which of the nodes before {@code turn} only those set in {@code kept} outlast the stage before it. */
    public static StageSchedule schedule(GraphProfile graph, BitSet kept, int turn) {
        StageSchedule schedule = StageSchedule.withoutRecomputation(graph);
        BitSet there = (BitSet) kept.clone();
        ArrayDeque<Integer> needed = new ArrayDeque<>();
        for (int stage = turn; stage < graph.size(); stage++) {
            needed.add(stage);
            while (!needed.isEmpty()) {
                for (int input : graph.nodes().get(needed.remove()).inputs()) {
                    if (input < turn && !there.get(input)) {
                        there.set(input);
                        schedule.recompute(stage, input);
                        needed.add(input);
                    }
                }
            }
        }
        return schedule;
    }
}
