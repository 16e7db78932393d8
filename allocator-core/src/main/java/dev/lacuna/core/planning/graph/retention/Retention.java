package dev.lacuna.core.planning.graph.retention;

import dev.lacuna.core.planning.graph.model.GraphNode;
import dev.lacuna.core.planning.graph.model.GraphProfile;
import dev.lacuna.core.planning.graph.model.StageSchedule;
import java.util.Arrays;

/**
 * A stage schedule that can be changed one recomputation at a time, with its cost and the peak of every stage kept up
 * to date. Which recomputations there are decides all else: a value lives from a computation to the last stage that uses
 * it before it is computed again. Every set of recomputations is a schedule that can be run; only memory may be short.
 */
public final class Retention {
    private final int size;
    private final int[][] inputs;
    private final long[] costs;
    private final long[] bytes;
    private final long[] workspaces;

    /** Where each node is computed, and where it is used. */
    private final StageSets computed;

    private final StageSets used;
    /** By node and stage: how many of the stage's computations read it. */
    private final short[] uses;
    /** The nodes computed again in each stage; the stage's own node is not among them. */
    private final RecomputedNodes again;

    /** Bytes of what earlier stages left for this one or later ones. */
    private final long[] carried;
    /** The most that the stage's computations add to that. */
    private final long[] added;

    private final DirtyStages dirty;
    private final int[] seen;
    private int seenMark;

    private long cost;
    private int recomputations;

    public Retention(GraphProfile graph) {
        size = graph.size();
        inputs = new int[size][];
        costs = new long[size];
        bytes = new long[size];
        workspaces = new long[size];
        computed = new StageSets(size);
        used = new StageSets(size);
        uses = new short[size * size];
        again = new RecomputedNodes(size);
        carried = new long[size];
        added = new long[size];
        dirty = new DirtyStages(size);
        seen = new int[size];
        for (int i = 0; i < size; i++) {
            GraphNode node = graph.nodes().get(i);
            inputs[i] = node.inputs().stream().mapToInt(Integer::intValue).toArray();
            costs[i] = node.cost();
            bytes[i] = node.bytes();
            workspaces[i] = node.workspaceBytes();
            computed.set(i, i);
            cost += costs[i];
            dirty.mark(i);
            for (int input : inputs[i]) {
                use(i, input);
            }
        }
    }

    int size() {
        return size;
    }

    public long cost() {
        return cost;
    }

    public int recomputations() {
        return recomputations;
    }

    long bytes(int node) {
        return bytes[node];
    }

    int[] inputs(int node) {
        return inputs[node];
    }

    public boolean computes(int stage, int node) {
        return computed.get(node, stage);
    }

    /** How many nodes a stage computes again. */
    int againCount(int stage) {
        return again.count(stage);
    }

    /** The position-th node, ascending, that a stage computes again. */
    int again(int stage, int position) {
        return again.nodes(stage)[position];
    }

    /** The last stage not after {@code stage} that computes the node. */
    int latestComputation(int node, int stage) {
        return computed.previous(node, stage);
    }

    /** The first stage after {@code stage} that computes the node again; the number of stages when none does. */
    int nextComputation(int node, int stage) {
        return computed.next(node, stage + 1);
    }

    /** The first stage from {@code stage} on that uses the node; the number of stages when none does. */
    int nextUse(int node, int stage) {
        return used.next(node, stage);
    }

    /** The last stage from {@code stage} back that uses the node; -1 when none does. */
    int lastUse(int node, int stage) {
        return used.previous(node, stage);
    }

    /** The last stage to which a value lives that is computed in stage {@code from}. */
    int end(int node, int from) {
        return Math.max(from, used.previous(node, nextComputation(node, from) - 1));
    }

    /** Whether the node's value is there when the stage begins. */
    boolean carriedInto(int node, int stage) {
        if (node >= stage) {
            return false;
        }
        int from = computed.previous(node, stage - 1);
        return end(node, from) >= stage;
    }

    /** Whether the node's value is needed again after the stage, without being computed in between. */
    private boolean carriedBeyond(int node, int stage) {
        int use = used.next(node, stage + 1);
        return use < size && use < computed.next(node, stage + 1);
    }

    /** Computes a node again in a stage after its own that does not yet. */
    public void add(int stage, int node) {
        int from = computed.previous(node, stage - 1);
        int until = end(node, from);
        computed.set(node, stage);
        int before = end(node, from);
        if (until >= stage) {
            carry(before + 1, stage, -bytes[node]);
        }
        dirty.mark(before);
        dirty.mark(stage);
        again.add(stage, node);
        cost += costs[node];
        recomputations++;
        for (int input : inputs[node]) {
            use(stage, input);
        }
    }

    /** Takes a recomputation back. */
    public void remove(int stage, int node) {
        int from = computed.previous(node, stage - 1);
        int before = end(node, from);
        computed.clear(node, stage);
        int until = end(node, from);
        if (until >= stage) {
            carry(before + 1, stage, bytes[node]);
        }
        dirty.mark(before);
        dirty.mark(stage);
        again.remove(stage, node);
        cost -= costs[node];
        recomputations--;
        for (int input : inputs[node]) {
            unuse(stage, input);
        }
    }

    private void use(int stage, int node) {
        dirty.mark(stage);
        if (uses[node * size + stage]++ == 0) {
            int from = computed.previous(node, stage);
            int until = end(node, from);
            used.set(node, stage);
            if (stage > until) {
                carry(until + 1, stage, bytes[node]);
                dirty.mark(until);
            }
        }
    }

    private void unuse(int stage, int node) {
        dirty.mark(stage);
        if (--uses[node * size + stage] == 0) {
            int from = computed.previous(node, stage);
            int until = end(node, from);
            used.clear(node, stage);
            int now = end(node, from);
            if (now < until) {
                carry(now + 1, until, -bytes[node]);
                dirty.mark(now);
            }
        }
    }

    private void carry(int from, int to, long more) {
        for (int stage = from; stage <= to; stage++) {
            carried[stage] += more;
        }
    }

    private void settle() {
        while (!dirty.isEmpty()) {
            int stage = dirty.take();
            added[stage] = most(stage);
        }
    }

    /** The most that a stage's computations have alive beyond what was carried into it. */
    private long most(int stage) {
        int count = again.count(stage);
        int[] row = again.nodes(stage);
        if (count == 0) {
            return bytes[stage] + workspaces[stage];
        }
        // Backwards from what the stage leaves behind: what is freed after a computation is there before it.
        seenMark++;
        long alive = 0;
        long most = Long.MIN_VALUE;
        for (int position = count; position >= 0; position--) {
            int node = position == count ? stage : row[position];
            for (int input : inputs[node]) {
                alive += freedAfter(input, stage);
            }
            alive += freedAfter(node, stage);
            most = Math.max(most, alive + workspaces[node]);
            alive -= bytes[node];
        }
        return most - alive;
    }

    /** Bytes that are given back when the stage's last computation that touches the node is done. */
    private long freedAfter(int node, int stage) {
        if (seen[node] == seenMark) {
            return 0;
        }
        seen[node] = seenMark;
        return carriedBeyond(node, stage) ? 0 : bytes[node];
    }

    /** The most bytes alive in a stage, fixed bytes not included. */
    public long peak(int stage) {
        settle();
        return carried[stage] + added[stage];
    }

    /** Bytes above the limit, added up over the stages. */
    long excess(long limit) {
        settle();
        long sum = 0;
        for (int stage = 0; stage < size; stage++) {
            sum += Math.max(0, carried[stage] + added[stage] - limit);
        }
        return sum;
    }

    /** All recomputations, ascending, each as {@link StageSchedule#code}. */
    public long[] snapshot() {
        long[] all = new long[recomputations];
        int count = 0;
        for (int stage = 0; stage < size; stage++) {
            int[] row = again.nodes(stage);
            for (int position = 0; position < again.count(stage); position++) {
                all[count++] = StageSchedule.code(stage, row[position]);
            }
        }
        return all;
    }

    /** Makes the recomputations the given ones, ascending. */
    public void restore(long[] wanted) {
        for (long each : snapshot()) {
            if (Arrays.binarySearch(wanted, each) < 0) {
                remove((int) (each >> 32), (int) each);
            }
        }
        for (long each : wanted) {
            if (!computes((int) (each >> 32), (int) each)) {
                add((int) (each >> 32), (int) each);
            }
        }
    }
}
