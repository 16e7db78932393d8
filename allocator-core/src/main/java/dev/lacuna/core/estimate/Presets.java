package dev.lacuna.core.estimate;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Published model shapes by name: Touvron et al. 2023 (arXiv 2307.09288, 2308.12950 for 34B), Grattafiori et al. 2024 (arXiv 2407.21783).
 * Beside them nine Llama 2 runs with their layout: 7B, 13B and 70B in three layouts each. The layouts are our choice of usual ones, no
 * published table: those versions of MindSpeed's page on adaptive memory that could be read list cut-down GPT-175B runs only.
 */
public final class Presets {
    private static final String LLAMA =
            " --swiglu --normalization RMSNorm --disable-bias-linear --untie-embeddings-and-output-weights"
                    + " --position-embedding-type rope --bf16";
    private static final Map<String, String> BY_NAME = shapes();

    private Presets() {}

    /** The names, in order of size. */
    public static Set<String> names() {
        return BY_NAME.keySet();
    }

    /** The arguments of this model. */
    public static Optional<Arguments> of(String name) {
        return Optional.ofNullable(BY_NAME.get(name)).map(Arguments::parse);
    }

    private static Map<String, String> shapes() {
        Map<String, String> shapes = new LinkedHashMap<>();
        shapes.put("llama2-7b", shape(32, 4096, 32, 32, 11008, 32000, 4096));
        shapes.put("llama2-13b", shape(40, 5120, 40, 40, 13824, 32000, 4096));
        shapes.put("llama2-34b", shape(48, 8192, 64, 8, 22016, 32000, 4096));
        shapes.put("llama2-70b", shape(80, 8192, 64, 8, 28672, 32000, 4096));
        shapes.put(
                "llama3.2-3b",
                shape(28, 3072, 24, 8, 8192, 128256, 4096).replace("--untie-embeddings-and-output-weights", ""));
        shapes.put("llama3.1-8b", shape(32, 4096, 32, 8, 14336, 128256, 8192));
        shapes.put("llama3.1-70b", shape(80, 8192, 64, 8, 28672, 128256, 8192));
        shapes.put("llama3.1-405b", shape(126, 16384, 128, 8, 53248, 128256, 8192));
        layouts(shapes);
        return shapes;
    }

    private static void layouts(Map<String, String> shapes) {
        layout(
                shapes,
                "llama2-7b",
                "tp8",
                "--tensor-model-parallel-size 8 --sequence-parallel --micro-batch-size 4",
                8);
        layout(
                shapes,
                "llama2-7b",
                "tp2-pp4",
                "--tensor-model-parallel-size 2 --pipeline-model-parallel-size 4 --sequence-parallel --micro-batch-size 2",
                8);
        layout(shapes, "llama2-7b", "dp8-zero1", "--use-distributed-optimizer --micro-batch-size 1", 8);
        layout(
                shapes,
                "llama2-13b",
                "tp8",
                "--tensor-model-parallel-size 8 --sequence-parallel --micro-batch-size 4",
                8);
        layout(
                shapes,
                "llama2-13b",
                "tp2-pp4",
                "--tensor-model-parallel-size 2 --pipeline-model-parallel-size 4 --sequence-parallel --micro-batch-size 1",
                8);
        layout(
                shapes,
                "llama2-13b",
                "tp4-dp4-zero1",
                "--tensor-model-parallel-size 4 --sequence-parallel --use-distributed-optimizer --micro-batch-size 2",
                16);
        layout(
                shapes,
                "llama2-70b",
                "tp8-pp4",
                "--tensor-model-parallel-size 8 --pipeline-model-parallel-size 4 --sequence-parallel --micro-batch-size 2",
                32);
        layout(
                shapes,
                "llama2-70b",
                "tp8-pp4-vp5",
                "--tensor-model-parallel-size 8 --pipeline-model-parallel-size 4 --num-virtual-stages-per-pipeline-rank 5"
                        + " --sequence-parallel --micro-batch-size 2",
                32);
        layout(
                shapes,
                "llama2-70b",
                "tp8-pp8-dp2-zero1",
                "--tensor-model-parallel-size 8 --pipeline-model-parallel-size 8 --sequence-parallel --use-distributed-optimizer"
                        + " --micro-batch-size 1",
                128);
    }

    private static void layout(Map<String, String> shapes, String model, String name, String arguments, int devices) {
        shapes.put(
                model + "-" + name,
                shapes.get(model) + " --use-flash-attn --world-size " + devices + " --global-batch-size 256 "
                        + arguments);
    }

    private static String shape(
            int layers, int hidden, int heads, int groups, int width, int vocabulary, int sequence) {
        return "--num-layers %d --hidden-size %d --num-attention-heads %d --num-query-groups %d --ffn-hidden-size %d --padded-vocab-size %d --seq-length %d"
                        .formatted(layers, hidden, heads, groups, width, vocabulary, sequence)
                + LLAMA;
    }
}
