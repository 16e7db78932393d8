package dev.lacuna.core.planning.graph.model;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A schedule in stages, one per node: stage t computes some earlier nodes again, in the graph's order, and then node t
 * for the first time. The recomputations are all there is to choose; a value lives from a computation to the last use
 * before the next one. Source: the frontier-advancing formulation of Checkmate (Jain et al., MLSys 2020), with the
 * retention intervals of Moccasin (Bartan et al., ICML 2023).
 */
public final class StageSchedule {
    private final GraphProfile graph;
    /** By stage: the nodes computed in it, its own included. */
    private final BitSet[] computed;

    private StageSchedule(GraphProfile graph) {
        this.graph = graph;
        computed = new BitSet[graph.size()];
        for (int stage = 0; stage < computed.length; stage++) {
            computed[stage] = new BitSet(stage + 1);
            computed[stage].set(stage);
        }
    }

    /** The schedule that computes every node once. */
    public static StageSchedule withoutRecomputation(GraphProfile graph) {
        return new StageSchedule(graph);
    }

    /** Computes a node again in a later stage than its own. */
    public void recompute(int stage, int node) {
        if (node >= stage) {
            throw new IllegalArgumentException("stage " + stage + " cannot compute node " + node + " again");
        }
        computed[stage].set(node);
    }

    /** All recomputations, ascending, each as stage · 2³² + node. */
    public long[] recomputations() {
        return IntStream.range(0, computed.length)
                .boxed()
                .flatMapToLong(stage ->
                        computed[stage].stream().filter(node -> node < stage).mapToLong(node -> code(stage, node)))
                .toArray();
    }

    public static long code(int stage, int node) {
        return (long) stage << 32 | node;
    }

    public static StageSchedule of(GraphProfile graph, long[] recomputations) {
        StageSchedule schedule = new StageSchedule(graph);
        for (long each : recomputations) {
            schedule.recompute((int) (each >> 32), (int) each);
        }
        return schedule;
    }

    /** The schedule step by step: each value is freed right after its last use; what no one uses is never recomputed. */
    public List<GraphStep> steps() {
        List<int[]> computations = computations();
        int[] lastUse = new int[computations.size()];
        int[] latest = new int[graph.size()];
        for (int i = 0; i < lastUse.length; i++) {
            int node = computations.get(i)[1];
            lastUse[i] = i;
            latest[node] = i;
            for (int input : graph.nodes().get(node).inputs()) {
                lastUse[latest[input]] = i;
            }
        }
        Map<Integer, List<Integer>> freedAfter = new HashMap<>();
        for (int i = 0; i < lastUse.length; i++) {
            freedAfter
                    .computeIfAbsent(lastUse[i], use -> new ArrayList<>())
                    .add(computations.get(i)[1]);
        }
        List<GraphStep> steps = new ArrayList<>();
        for (int i = 0; i < lastUse.length; i++) {
            steps.add(GraphStep.compute(computations.get(i)[1]));
            freedAfter.getOrDefault(i, List.of()).forEach(node -> steps.add(GraphStep.free(node)));
        }
        return steps;
    }

    /** Stage and node of every computation, in order, without those whose value would be used by none. */
    private List<int[]> computations() {
        List<int[]> backwards = new ArrayList<>();
        boolean[] wanted = new boolean[graph.size()];
        for (int stage = graph.size() - 1; stage >= 0; stage--) {
            for (int node = stage; node >= 0; node = computed[stage].previousSetBit(node - 1)) {
                if (node == stage || wanted[node]) {
                    wanted[node] = false;
                    graph.nodes().get(node).inputs().forEach(input -> wanted[input] = true);
                    backwards.add(new int[] {stage, node});
                }
                if (node == 0) {
                    break;
                }
            }
        }
        Collections.reverse(backwards);
        return backwards;
    }
}
