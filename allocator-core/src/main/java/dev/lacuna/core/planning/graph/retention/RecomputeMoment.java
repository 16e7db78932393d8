package dev.lacuna.core.planning.graph.retention;

import dev.lacuna.core.planning.graph.model.GraphNode;
import dev.lacuna.core.planning.graph.model.GraphProfile;
import java.util.BitSet;

/**
 * What must be computed again after the moment at which a node is first computed. At that moment its inputs and it are
 * there, and of all earlier values only as many as still fit; every value that is read later and is not among them is
 * computed again, from inputs that are there or are computed again themselves. A schedule of any kind passes this
 * moment, so the least cost of that is a lower bound for all.
 *
 * <p>With a price on kept bytes instead of the limit it is a minimum cut: a value is needed (on the source's side) or
 * not, is recomputed or not; needed and not recomputed costs the price of its bytes, recomputed its own cost.
 */
final class RecomputeMoment {
    /** Costs are scaled so that rounding prices of bytes down loses nothing that counts. */
    private static final long SCALE_TO = 1L << 46;

    private final int stage;
    private final long room;
    private final int[] nodes;
    private final long[] bytes;
    private final int[] keepArcs;
    private final MinimumCut network;
    private final double scale;

    private RecomputeMoment(
            int stage, long room, int[] nodes, long[] bytes, int[] keepArcs, MinimumCut network, double scale) {
        this.stage = stage;
        this.room = room;
        this.nodes = nodes;
        this.bytes = bytes;
        this.keepArcs = keepArcs;
        this.network = network;
        this.scale = scale;
    }

    /** The moment of a stage under a limit in bytes for all values, fixed bytes not included. */
    static RecomputeMoment of(GraphProfile graph, int stage, long limit) {
        BitSet there = new BitSet();
        there.set(stage);
        graph.nodes().get(stage).inputs().forEach(there::set);
        long room = limit - graph.nodes().get(stage).workspaceBytes();
        for (int node = there.nextSetBit(0); node >= 0; node = there.nextSetBit(node + 1)) {
            room -= graph.nodes().get(node).bytes();
        }
        BitSet direct = new BitSet();
        for (int later = stage + 1; later < graph.size(); later++) {
            graph.nodes().get(later).inputs().stream()
                    .filter(input -> input < stage && !there.get(input))
                    .forEach(direct::set);
        }
        BitSet all = (BitSet) direct.clone();
        for (int node = all.length() - 1; node >= 0; node = all.previousSetBit(node - 1)) {
            graph.nodes().get(node).inputs().stream()
                    .filter(input -> !there.get(input))
                    .forEach(all::set);
            if (node == 0) {
                break;
            }
        }
        return build(graph, stage, room, direct, all);
    }

    private static RecomputeMoment build(GraphProfile graph, int stage, long room, BitSet direct, BitSet all) {
        int[] nodes = all.stream().toArray();
        int[] position = new int[graph.size()];
        long cost = 1;
        for (int i = 0; i < nodes.length; i++) {
            position[nodes[i]] = i;
            cost += graph.nodes().get(nodes[i]).cost();
        }
        double scale = Double.longBitsToDouble(Double.doubleToLongBits((double) SCALE_TO / cost) & 0xfff0000000000000L);
        scale = Math.max(1, scale);
        int source = 2 * nodes.length;
        MinimumCut network = new MinimumCut(source + 2, source, source + 1);
        int[] keepArcs = new int[nodes.length];
        long[] bytes = new long[nodes.length];
        for (int i = 0; i < nodes.length; i++) {
            GraphNode node = graph.nodes().get(nodes[i]);
            bytes[i] = node.bytes();
            keepArcs[i] = network.arc(needed(i), again(i), 0);
            network.arc(again(i), source + 1, (long) (node.cost() * scale));
            if (direct.get(nodes[i])) {
                network.arc(source, needed(i), MinimumCut.UNCUTTABLE);
            }
            for (int input : node.inputs()) {
                if (all.get(input)) {
                    network.arc(again(i), needed(position[input]), MinimumCut.UNCUTTABLE);
                }
            }
        }
        return new RecomputeMoment(stage, room, nodes, bytes, keepArcs, network, scale);
    }

    private static int needed(int position) {
        return 2 * position;
    }

    private static int again(int position) {
        return 2 * position + 1;
    }

    /** The stage whose node is computed at this moment. */
    int stage() {
        return stage;
    }

    /** Values that can be kept or not, by position. */
    int size() {
        return nodes.length;
    }

    /** The graph's node behind a position. */
    int node(int position) {
        return nodes[position];
    }

    long bytes(int position) {
        return bytes[position];
    }

    /** Bytes for what is kept beside the working set; negative when not even that fits. */
    long room() {
        return room;
    }

    /** A price of the right order: what a byte costs to make again on average. */
    double usualPrice() {
        double sum = 0;
        for (long each : bytes) {
            sum += each;
        }
        return SCALE_TO / scale / Math.max(1, sum);
    }

    /**
     * The least cost with a price on bytes beyond the room.
     *
     * @param value never more than the cost of what must be computed again
     * @param kept positions that the cut keeps
     * @param keptBytes their bytes
     */
    record Priced(double value, BitSet kept, long keptBytes) {}

    /**
     * The bound that a price gives when some values must be kept and some must not.
     *
     * @param price cost per byte, ≥ 0
     */
    Priced priced(double price, BitSet mustKeep, BitSet mustDrop) {
        double perByte = price * scale;
        long forced = 0;
        long forcedBytes = 0;
        for (int i = 0; i < nodes.length; i++) {
            long keeping = (long) Math.min(Math.nextDown(perByte * bytes[i]), 4.0 * SCALE_TO);
            if (mustKeep.get(i)) {
                forced += keeping;
                forcedBytes += bytes[i];
                keeping = 0;
            } else if (mustDrop.get(i)) {
                keeping = MinimumCut.UNCUTTABLE;
            }
            network.capacity(keepArcs[i], keeping);
        }
        long cut = network.cut();
        BitSet kept = (BitSet) mustKeep.clone();
        long keptBytes = forcedBytes;
        for (int i = 0; i < nodes.length; i++) {
            if (!mustKeep.get(i) && network.onSourceSide(needed(i)) && !network.onSourceSide(again(i))) {
                kept.set(i);
                keptBytes += bytes[i];
            }
        }
        // The room's price is rounded up, all else down: the bound holds.
        double paid = (double) cut + forced;
        double granted = Math.ceil(Math.nextUp(perByte * room));
        double value = (paid - granted - 2 * Math.ulp(paid) - 2 * Math.ulp(granted)) / scale;
        return new Priced(value, kept, keptBytes);
    }
}
