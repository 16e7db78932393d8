package dev.lacuna.core.estimate.input;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Published model shapes by name: Touvron et al. 2023 (arXiv 2307.09288, 2308.12950 for 34B), Grattafiori et al. 2024 (arXiv 2407.21783).
 * Beside them the nine Llama 2 runs of MindSpeed's page on memory fragmentation (its table of gains), by layout and sequence length: what
 * the table names, in bf16; all else is Megatron's default. The table does not tell whether layers are recomputed. Where its data-parallel
 * size contradicts its number of devices (13B on 16), the devices count.
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
        fragmented(shapes);
        return shapes;
    }

    private static void fragmented(Map<String, String> shapes) {
        fragmented(shapes, "llama2-7b", "tp8-4k", 4096, 4, 16, 1, 8);
        fragmented(shapes, "llama2-7b", "tp8-6k", 6144, 4, 16, 1, 8);
        fragmented(shapes, "llama2-13b", "tp8-8k", 8192, 4, 16, 1, 8);
        fragmented(shapes, "llama2-13b", "tp8-dp2-4k", 4096, 2, 16, 1, 16);
        fragmented(shapes, "llama2-13b", "tp8-dp2-6k", 6144, 2, 16, 1, 16);
        fragmented(shapes, "llama2-13b", "tp8-dp2-8k", 8192, 2, 16, 1, 16);
        fragmented(shapes, "llama2-70b", "tp8-pp4-4k", 4096, 2, 1024, 4, 32);
        fragmented(shapes, "llama2-70b", "tp8-pp4-6k", 6144, 2, 1024, 4, 32);
        fragmented(shapes, "llama2-70b", "tp8-pp4-8k", 8192, 2, 1024, 4, 32);
    }

    private static void fragmented(
            Map<String, String> shapes,
            String model,
            String name,
            int sequence,
            int microBatch,
            int globalBatch,
            int pipeline,
            int devices) {
        shapes.put(
                model + "-" + name,
                shapes.get(model).replace("--seq-length 4096", "--seq-length " + sequence)
                        + " --use-flash-attn --tensor-model-parallel-size 8 --pipeline-model-parallel-size " + pipeline
                        + " --micro-batch-size %d --global-batch-size %d --world-size %d"
                                .formatted(microBatch, globalBatch, devices));
    }

    private static String shape(
            int layers, int hidden, int heads, int groups, int width, int vocabulary, int sequence) {
        return "--num-layers %d --hidden-size %d --num-attention-heads %d --group-query-attention --num-query-groups %d --ffn-hidden-size %d --padded-vocab-size %d --seq-length %d"
                        .formatted(layers, hidden, heads, groups, width, vocabulary, sequence)
                + LLAMA;
    }
}
