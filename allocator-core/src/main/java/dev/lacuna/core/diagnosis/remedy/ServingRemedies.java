package dev.lacuna.core.diagnosis.remedy;

import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Remedy;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.model.Trait;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What helps a server, which has requests, a cache and a share of the device, and no gradients. */
final class ServingRemedies {
    /** vLLM prints what would fit: {@code stored in KV cache (5632)}, {@code estimated maximum model length is 5632}. */
    private static final Pattern BOUND =
            Pattern.compile("(?:stored in KV cache \\(|maximum model length is )(\\d[\\d,]{0,12})");

    private static final double HUNDREDTHS = 100.0;

    /** As a share of what the device still has: it must stay below. */
    private static final double LEAST_SHARE = 0.05;

    private ServingRemedies() {}

    /** Who serves, told by the framework or the lines around. */
    private enum Server {
        VLLM,
        SGLANG,
        TENSORRT_LLM,
        LLAMA_CPP,
        OTHER
    }

    /** Fewer sequences at once, shorter ones: by the server's own option, with the bound that the message prints. */
    static Optional<Remedy> fewerRequests(Evidence e) {
        if (!e.serves()) {
            return Optional.empty();
        }
        OptionalLong bound = bound(e);
        Optional<String> command = switch (server(e)) {
            case VLLM ->
                Optional.of(
                        bound.isPresent()
                                ? "--max-model-len " + bound.getAsLong()
                                : "--max-num-seqs 64 --max-model-len 8192");
            case SGLANG -> Optional.of("--max-running-requests 64 --chunked-prefill-size 2048");
            case TENSORRT_LLM -> Optional.of("--max_batch_size 16 --max_num_tokens 4096");
            case LLAMA_CPP -> Optional.of("--ctx-size 4096 --ubatch-size 128");
            case OTHER -> Optional.empty();
        };
        Text why = bound.isPresent()
                ? Text.of("remedy.fewer-requests.why.bound", Text.count(bound.getAsLong()))
                : Remedy.whyOf("fewer-requests");
        return Optional.of(Remedy.manual("fewer-requests", command, why));
    }

    /** The share of the device that the server takes for itself: larger where its cache found no room, else smaller. */
    static Optional<Remedy> share(Evidence e) {
        if (!e.serves()) {
            return Optional.empty();
        }
        boolean larger = e.claims(Claim.SHARE_TOO_SMALL);
        return switch (server(e)) {
            case VLLM ->
                larger
                        ? own("vllm-cache", "--gpu-memory-utilization 0.95")
                        : own("vllm-utilisation", "--gpu-memory-utilization " + below(e));
            case SGLANG ->
                larger
                        ? own("sglang-larger", "--mem-fraction-static 0.9")
                        : own("sglang-smaller", "--mem-fraction-static 0.8");
            case TENSORRT_LLM -> own("trtllm-cache", "--kv_cache_free_gpu_memory_fraction 0.7");
            case LLAMA_CPP, OTHER -> Optional.empty();
        };
    }

    /** Several devices for one model. */
    static Optional<Remedy> spread(Evidence e) {
        if (!e.serves()) {
            return Optional.empty();
        }
        return switch (server(e)) {
            case VLLM -> own("spread", "--tensor-parallel-size 2");
            case SGLANG -> own("spread", "--tp 2");
            case TENSORRT_LLM -> own("spread", "--tp_size 2");
            case LLAMA_CPP -> own("spread", "--split-mode layer");
            case OTHER -> Optional.empty();
        };
    }

    /** Weights of fewer bits. */
    static Optional<Remedy> smallerWeights(Evidence e) {
        return e.serves()
                ? Optional.of(Remedy.manual("smaller-weights", Optional.empty(), Remedy.whyOf("smaller-weights")))
                : Optional.empty();
    }

    /** Below what was free of the device at the start, where vLLM prints it; else below its default of 0.9. */
    private static String below(Evidence e) {
        boolean told = e.report().framework() == Framework.VLLM
                && e.free().isPresent()
                && e.total().isPresent();
        double share = told
                ? Math.floor(HUNDREDTHS * e.free().getAsLong() / e.total().getAsLong()) / HUNDREDTHS - 1 / HUNDREDTHS
                : 0.85;
        return String.format(Locale.ROOT, "%.2f", Math.max(LEAST_SHARE, Math.min(0.85, share)));
    }

    private static OptionalLong bound(Evidence e) {
        Matcher m = BOUND.matcher(e.report().text());
        return m.find() ? OptionalLong.of(Long.parseLong(m.group(1).replace(",", ""))) : OptionalLong.empty();
    }

    private static Server server(Evidence e) {
        if (e.report().framework() == Framework.VLLM || e.surroundings().show(Trait.VLLM)) {
            return Server.VLLM;
        }
        if (e.surroundings().show(Trait.SGLANG)) {
            return Server.SGLANG;
        }
        if (e.surroundings().show(Trait.TENSORRT_LLM)) {
            return Server.TENSORRT_LLM;
        }
        boolean llama = e.report().framework() == Framework.LLAMA_CPP_CUDA
                || e.report().framework() == Framework.LLAMA_CPP_ROCM
                || e.surroundings().show(Trait.LLAMA_CPP);
        return llama ? Server.LLAMA_CPP : Server.OTHER;
    }

    private static Optional<Remedy> own(String id, String command) {
        return Optional.of(Remedy.manual(id, Optional.of(command), Remedy.whyOf(id)));
    }
}
