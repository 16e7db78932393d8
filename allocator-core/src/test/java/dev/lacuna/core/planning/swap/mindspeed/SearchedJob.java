package dev.lacuna.core.planning.swap.mindspeed;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/**
 * A job whose {@link OutOfMemoryPolicies} the framework keeps: what their file's name tells. Degrees are at least 1.
 *
 * @param globalBatch samples of a step
 * @param microBatch samples of a micro-batch
 * @param sequence tokens of a sample
 * @param hidden hidden size of the model
 * @param sequenceParallel whether sequences are split over the tensor-parallel ranks
 * @param world all ranks
 */
public record SearchedJob(
        int globalBatch,
        int microBatch,
        int sequence,
        int hidden,
        int tensor,
        int context,
        int expert,
        int pipeline,
        boolean sequenceParallel,
        int world) {

    /**
     * The name of a stage's file below {@code adaptive_mem} beside the framework's package, as the main line forms it.
     *
     * @param stage 0 … pipeline − 1
     * @param sourceHash what the framework's own sources hash to
     * @param versions of torch, torch_npu, ascend_toolkit and driver; empty where the framework could not tell them
     */
    public String policyFile(int stage, String sourceHash, Map<String, String> versions) {
        int split = sequenceParallel ? tensor : 1;
        int data = world / tensor / context / pipeline;
        Map<String, Object> arguments = new TreeMap<>(versions);
        arguments.put("global_batch_size", globalBatch);
        arguments.put("micro_batch_size", microBatch);
        arguments.put("sequence_len", sequence);
        arguments.put("hidden", hidden);
        arguments.put("tp", tensor);
        arguments.put("cp", context);
        arguments.put("sp", split);
        arguments.put("ep", expert);
        arguments.put("dp", data);
        arguments.put("world_size", world);
        arguments.put("source_hash", sourceHash);
        return "b%d_s%d_h%d_tp%d_cp%d_w%d_sp%d_ep%d_dp%d_stage%d_%s.policy"
                .formatted(
                        microBatch,
                        sequence,
                        hidden,
                        tensor,
                        context,
                        world,
                        split,
                        expert,
                        data,
                        stage,
                        sha256(PythonJson.of(arguments)));
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
