package dev.lacuna.core.config.mindformers.layer;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * A cell (which can be recomputed or swapped with all it contains) or an operator of a transformer layer.
 *
 * @param cell false for an operator
 * @param children in the order of their registration; none for operators
 */
public record LayerTree(String name, boolean cell, List<LayerTree> children) {
    /** The layer that MindFormers' settings are shown on: a Llama block, with the names that its patterns use. */
    public static final LayerTree REFERENCE = cell(
            "",
            cell("attention", cell("flash_attention"), cell("wq", operator("matmul")), operator("softmax")),
            cell(
                    "feed_forward",
                    cell("w1", cell("activation", operator("silu")), operator("matmul")),
                    cell("w2", operator("matmul")),
                    cell("w3", operator("matmul")),
                    operator("mul")),
            cell("attention_norm", operator("norm")),
            cell("ffn_norm", operator("norm")),
            operator("add"));

    /** Who consumes an operator's output within the layer: the data flow of a Llama block. */
    static final Map<String, List<String>> CONSUMERS = Map.ofEntries(
            Map.entry("attention_norm.norm", List.of("attention.wq.matmul")),
            Map.entry("attention.wq.matmul", List.of("attention.flash_attention", "attention.softmax")),
            Map.entry("attention.flash_attention", List.of("add")),
            Map.entry("attention.softmax", List.of("add")),
            Map.entry("add", List.of("ffn_norm.norm")),
            Map.entry("ffn_norm.norm", List.of("feed_forward.w1.matmul", "feed_forward.w3.matmul")),
            Map.entry("feed_forward.w1.matmul", List.of("feed_forward.w1.activation.silu")),
            Map.entry("feed_forward.w1.activation.silu", List.of("feed_forward.mul")),
            Map.entry("feed_forward.w3.matmul", List.of("feed_forward.mul")),
            Map.entry("feed_forward.mul", List.of("feed_forward.w2.matmul")),
            Map.entry("feed_forward.w2.matmul", List.of("add")));

    public LayerTree {
        children = List.copyOf(children);
    }

    private static LayerTree cell(String name, LayerTree... children) {
        return new LayerTree(name, true, List.of(children));
    }

    private static LayerTree operator(String name) {
        return new LayerTree(name, false, List.of());
    }

    List<LayerTree> cells() {
        return children.stream().filter(LayerTree::cell).toList();
    }

    /** Operators in the order of Python's {@code dir()}: by name. */
    List<LayerTree> operators() {
        return children.stream()
                .filter(child -> !child.cell())
                .sorted(java.util.Comparator.comparing(LayerTree::name))
                .toList();
    }

    /** Full names of what computes: the operators and the cells without parts, in the order of the tree. */
    public List<String> leaves() {
        List<String> leaves = new ArrayList<>();
        collect("", leaves);
        return leaves;
    }

    /** Full names of what computes below this part, whose own full name is given. */
    List<String> leavesFrom(String fullName) {
        List<String> leaves = new ArrayList<>();
        if (children.isEmpty()) {
            leaves.add(fullName);
        }
        children.forEach(child -> child.collect(fullName + ".", leaves));
        return leaves;
    }

    private void collect(String prefix, Collection<String> into) {
        if (children.isEmpty()) {
            into.add(prefix + name);
        }
        String below = name.isEmpty() ? prefix : prefix + name + ".";
        children.forEach(child -> child.collect(below, into));
    }
}
