package dev.lacuna.core.diagnosis.remedy;

import dev.lacuna.core.diagnosis.model.DeviceKind;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Remedy;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.model.ServerOptions;
import dev.lacuna.core.diagnosis.oom.model.Trait;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What helps a server, which has requests, a cache and a share of the device, and no gradients. */
final class ServingRemedies {
    /** vLLM prints what would fit: {@code stored in KV cache (5632)}, {@code estimated maximum model length is 5632}. */
    private static final Pattern BOUND =
            Pattern.compile("(?:stored in KV cache \\(|maximum model length is )(\\d[\\d,]{0,12})");

    /** TGI prints what it could not handle when it warmed up. */
    private static final Pattern TOKENS = Pattern.compile("to handle (\\d{1,12}) (total|prefill) tokens");

    private static final double HUNDREDTHS = 100.0;

    /** As a share of what the device still has: it must stay below. */
    private static final double LEAST_SHARE = 0.05;

    private static final double MOST_SHARE = 0.95;
    private static final double STEP = 0.05;
    private static final long HUGE = 64L << 30;
    private static final int USUAL_LENGTH = 8192;
    private static final int USUAL_CHUNK = 2048;
    private static final int SHORT = 1024;

    /** In place of a figure that the log does not tell. */
    private static final String UNTOLD = "N";

    private ServingRemedies() {}

    /** Who serves, told by the framework or the lines around. */
    private enum Server {
        VLLM,
        SGLANG,
        TGI,
        TRITON,
        LMDEPLOY,
        TENSORRT_LLM,
        OLLAMA,
        LLAMA_CPP,
        IMAGES,
        OTHER
    }

    /** Fewer sequences at once, shorter ones: by the server's own option, with the bound that the message prints. */
    static Optional<Remedy> fewerRequests(Evidence e) {
        boolean weights = server(e) == Server.VLLM && isBeyondShare(e); // No cache fills more than the share.
        return weights ? Optional.empty() : fewerRequestsLast(e);
    }

    /** The same behind what makes weights smaller, whatever fills the device. */
    static Optional<Remedy> fewerRequestsLast(Evidence e) {
        if (!e.origin().serves()) {
            return Optional.empty();
        }
        Server server = server(e);
        if (server == Server.OLLAMA && asksForOne(e)) {
            return Optional.empty();
        }
        if (server == Server.IMAGES) {
            return imageParts(e).or(() -> smallerPictures(e));
        }
        OptionalLong bound = bound(e);
        boolean cache = holdsCache(e);
        Optional<String> command = switch (server) {
            case VLLM -> Optional.of(bound.isPresent() ? "--max-model-len " + bound.getAsLong() : fewer(e));
            case SGLANG ->
                areSlots(e)
                        ? Optional.of("--max-running-requests N")
                        : options(atOnce(e, "--max-running-requests ", USUAL_SEQUENCES), smallerChunk(e));
            case TENSORRT_LLM -> options(atOnce(e, "--max_batch_size ", FEW));
            case TGI -> Optional.of(tokens(e));
            case TRITON ->
                e.report().context().says("instance_group")
                        ? Optional.of("instance_group [ { count: 1 } ]   # in the model's config.pbtxt")
                        : Optional.empty();
            case LMDEPLOY -> options(atOnce(e, "--max-batch-size ", FEW), upTo(e, "--session-len ", USUAL_LENGTH));
            case OLLAMA ->
                e.surroundings().show(Trait.OLDER_LLAMA)
                        ? options(upTo(e, "PARAMETER num_ctx ", OF_LLAMA))
                        : Optional.of("OLLAMA_NUM_PARALLEL=1 " + upTo(e, "OLLAMA_CONTEXT_LENGTH=", OF_LLAMA));
            case LLAMA_CPP ->
                e.surroundings().show(Trait.KOBOLD)
                        ? options(cache ? upTo(e, "--contextsize ", OF_LLAMA) : "--blasbatchsize 128")
                        : options(upTo(e, "--ctx-size ", OF_LLAMA), cache ? "" : "--ubatch-size 128");
            case OTHER ->
                e.report().library().filter("mindie"::equals).isPresent()
                        ? Optional.of("\"maxPrefillTokens\": 2048   # config.json")
                        : Optional.empty();
            case IMAGES -> Optional.empty();
        };
        Text why = bound.isPresent()
                ? Text.of("remedy.fewer-requests.why.bound", Text.count(bound.getAsLong()))
                : Text.of("remedy.fewer-requests.why" + form(e, server));
        Remedy remedy = Remedy.manual("fewer-requests", command.map(c -> CallForm.of(e, c)), why);
        if (cache) {
            return Optional.of(remedy.titled(Text.of("remedy.fewer-requests.title.context")));
        }
        boolean script = bound.isEmpty() && OF_SCRIPTS.contains(form(e, server));
        return Optional.of(script ? remedy.titled(Text.of("remedy.fewer-requests.title.script")) : remedy);
    }

    /** What has no requests: a script, of which nothing tells what it works on, or one that works on pictures. */
    private static final Set<String> OF_SCRIPTS = Set.of(".script", ".pictures");

    private static final int FEW = 16;
    private static final int OF_LLAMA = 4096;

    /** What is left of these options, where the log does not show less already. */
    private static Optional<String> options(String... options) {
        String all =
                Stream.of(options).filter(o -> !o.isEmpty()).map(String::strip).collect(Collectors.joining(" "));
        return all.isEmpty() ? Optional.empty() : Optional.of(all);
    }

    /** As many requests at once, or half of as many as are set. */
    private static String atOnce(Evidence e, String option, int usual) {
        int most = Math.min(usual, e.surroundings().server().sequences().orElse(2 * usual) / 2);
        return most >= 1 ? option + most : "";
    }

    /** Half of the length that is set; none where that is short already, no figure where the log tells none. */
    private static String upTo(Evidence e, String option, int usual) {
        OptionalInt set = e.surroundings().server().length();
        if (set.isEmpty()) {
            return option + UNTOLD; // A figure of ours could be longer than what holds.
        }
        int length = Math.min(usual, set.getAsInt() / 2);
        return length >= SHORT ? option + length : "";
    }

    /** Whether ollama was loading for one request at a time, of a usual length. */
    private static boolean asksForOne(Evidence e) {
        return e.report().context().lines().stream()
                .anyMatch(line -> line.contains("Parallel:1 ") && line.contains("KvSize:4096 "));
    }

    /** What grows with requests, told by what is worked on; a check at the start counts none of it. */
    private static String form(Evidence e, Server server) {
        if (e.claims(Claim.HELD_BY_OTHERS) && e.others().takenAtStart().isPresent()) {
            return ".start";
        }
        if (holdsCache(e)) {
            return ".context";
        }
        if (server == Server.OTHER || e.surroundings().show(Trait.LLAMA_CPP_PYTHON)) {
            return e.surroundings().show(Trait.PICTURES) ? ".pictures" : ".script";
        }
        return "";
    }

    /** llama.cpp's key-value cache, whose size is the context's and nothing else's, before anything else. */
    static Optional<Remedy> smallerContext(Evidence e) {
        return holdsCache(e) ? fewerRequests(e) : Optional.empty();
    }

    private static boolean holdsCache(Evidence e) {
        boolean llama = isLlama(e.report().framework())
                || e.report().library().filter("llama.cpp"::equals).isPresent();
        return llama && e.surroundings().show(Trait.CACHE_BUFFER);
    }

    private static boolean isLlama(Framework framework) {
        return framework == Framework.LLAMA_CPP_CUDA || framework == Framework.LLAMA_CPP_ROCM;
    }

    /** The same before anything else where a limit other than the server's share was hit. */
    static Optional<Remedy> fewerRequestsForSlots(Evidence e) {
        return e.claims(Claim.SHARE_TOO_SMALL) ? Optional.empty() : fewerRequests(e);
    }

    /** The same first of all, where the message itself says what fits. */
    static Optional<Remedy> requestsThatFit(Evidence e) {
        return bound(e).isPresent() ? fewerRequests(e) : Optional.empty();
    }

    /** The same before anything else where the message itself asks for it. */
    static Optional<Remedy> fewerAsAsked(Evidence e) {
        boolean asks = Stream.concat(Stream.of(e.report().text()), e.report().context().lines().stream())
                .anyMatch(line -> ASKS.stream().anyMatch(line::contains));
        return asks ? fewerRequests(e) : Optional.empty();
    }

    /** TGI's and SGLang's own words. */
    private static final List<String> ASKS =
            List.of("You need to decrease `--max-batch", "out of memory. Try to lower your batch size");

    /** The share of the device that the server takes for itself: larger where its cache found no room, else smaller. */
    static Optional<Remedy> share(Evidence e) {
        if (isColocated(e) && !e.claims(Claim.SHARE_TOO_SMALL)) {
            return own(
                    "colocated-engine",
                    "gpu_memory_utilization="
                            + smaller(COLOCATED_SHARE, e.surroundings().server().share()));
        }
        if (!e.origin().serves()) {
            return Optional.empty();
        }
        boolean larger = e.claims(Claim.SHARE_TOO_SMALL);
        if (areSlots(e)) {
            return Optional.empty();
        }
        if (!larger && (e.claims(Claim.LIMIT) || leavesTooLittle(e) || isBesideOthers(e))) {
            return Optional.empty(); // Another limit than of memory was hit, or no share would hold the weights.
        }
        OptionalDouble set = e.surroundings().server().share();
        if (!larger && e.total().isEmpty() && e.tried().orElse(0) >= HUGE) {
            return Optional.empty(); // No share leaves room for one tensor of that size.
        }
        if (larger && set.orElse(0) >= MOST_SHARE) {
            return Optional.empty(); // There is no more to give.
        }
        if (!larger && isBeyondShare(e)) {
            return Optional.empty();
        }
        if (larger && noShareFits(e)) {
            return Optional.empty();
        }
        return switch (server(e)) {
            case VLLM -> larger ? largerUtilisation(e) : utilisation(e);
            case SGLANG ->
                larger ? largerStatic(e) : own("sglang-smaller", "--mem-fraction-static " + smaller(0.8, set));
            case TENSORRT_LLM ->
                larger
                        ? own("trtllm-larger", cacheShare(e, "0.95"))
                        : smallerCache(e, 0.7).flatMap(share -> own("trtllm-cache", cacheShare(e, share)));
            case LMDEPLOY ->
                smallerCache(e, 0.5).flatMap(share -> own("lmdeploy-cache", "--cache-max-entry-count " + share));
            case OLLAMA -> attention(e);
            case TRITON -> tritonPool(e);
            case TGI, LLAMA_CPP, IMAGES, OTHER -> Optional.empty();
        };
    }

    /** What SGLang works out that weights take names the least share that leaves a cache room; where more is set, no share does. */
    private static Optional<Remedy> largerStatic(Evidence e) {
        ServerOptions options = e.surroundings().server();
        OptionalDouble floor = options.floor();
        double set = options.share().orElse(0);
        if (floor.isEmpty()) {
            return own(
                    "sglang-larger",
                    "--mem-fraction-static " + number(Math.min(MOST_SHARE, Math.max(USUAL_STATIC, set + STEP))));
        }
        double share = roundedUp(floor.getAsDouble()) + ROOM_FOR_CACHE;
        if (set >= floor.getAsDouble() || share > MOST_FITTING) {
            return Optional.empty();
        }
        return Optional.of(Remedy.manual(
                "sglang-larger",
                Optional.of("--mem-fraction-static " + number(share)),
                Text.of("remedy.sglang-larger.why.floor", Text.word(Double.toString(floor.getAsDouble())))));
    }

    private static final double USUAL_STATIC = 0.9;

    private static String number(double share) {
        return String.format(Locale.ROOT, "%.2f", share);
    }

    /** A smaller share for the cache than the one that is set; none where that is small already. */
    private static Optional<String> smallerCache(Evidence e, double usual) {
        double set = e.surroundings().server().cacheShare().orElse(2 * usual);
        double share = Math.min(usual, set / 2);
        return share < LEAST_OF_CACHE
                ? Optional.empty()
                : Optional.of(number(share).replaceFirst("0$", ""));
    }

    private static final double LEAST_OF_CACHE = 0.1;

    /** SGLang's pools are taken before it serves, vLLM's before graphs: what runs out then has room only where they are smaller. */
    static Optional<Remedy> shareOfPools(Evidence e) {
        boolean taken = server(e) == Server.SGLANG
                || server(e) == Server.VLLM && fewerGraphs(e).isPresent();
        return e.origin().serves() && taken && !e.origin().loadsWeights() ? share(e) : Optional.empty();
    }

    /** Whether more is held than the share that is set: what fills the device is not what the share counts. */
    private static boolean isBeyondShare(Evidence e) {
        OptionalDouble set = e.surroundings().server().share();
        return set.isPresent()
                && e.total().isPresent()
                && e.report().allocatedBytes().orElse(0)
                        > (set.getAsDouble() + STEP) * e.total().getAsLong();
    }

    private static String cacheShare(Evidence e, String share) {
        return e.surroundings().show(Trait.TRITON)
                ? "parameters: {key: \"kv_cache_free_gpu_mem_fraction\" value: {string_value: \"" + share
                        + "\"}}   # config.pbtxt"
                : "--kv_cache_free_gpu_memory_fraction " + share;
    }

    /** Whether an engine generates on the devices on which its trainer trains: it is asked through the trainer. */
    static boolean isColocated(Evidence e) {
        return e.surroundings().show(Trait.COLOCATED)
                && (e.report().framework() == Framework.VLLM || e.surroundings().show(Trait.VLLM))
                && !e.report().isOfHost();
    }

    private static final double COLOCATED_SHARE = 0.4;

    /** Attention that needs no buffer for its scores, where ollama says that it goes without. */
    private static Optional<Remedy> attention(Evidence e) {
        boolean without = e.report().context().lines().stream()
                .anyMatch(line -> line.contains("FlashAttention:false") || line.contains("FlashAttention:Disabled"));
        return without ? own("ollama-attention", "OLLAMA_FLASH_ATTENTION=1") : Optional.empty();
    }

    /** What Triton takes of each device for tensors that go from one model to the next. */
    private static Optional<Remedy> tritonPool(Evidence e) {
        boolean set =
                e.report().context().lines().stream().anyMatch(line -> line.contains("cuda-memory-pool-byte-size"));
        return set ? own("triton-pool", "tritonserver --cuda-memory-pool-byte-size=0:67108864 …") : Optional.empty();
    }

    /** What is measured to lie beside the cache names the least share that leaves it room. */
    private static Optional<Remedy> largerUtilisation(Evidence e) {
        OptionalDouble least = e.surroundings().server().least();
        if (least.isEmpty()) {
            return isColocated(e) // Whose trainer has an argument of its own for it.
                    ? Optional.of(Remedy.manual("vllm-cache", Optional.empty(), Remedy.whyOf("vllm-cache")))
                    : own("vllm-cache", CallForm.of(e, "--gpu-memory-utilization 0.95"));
        }
        double share = roundedUp(least.getAsDouble());
        return Optional.of(Remedy.manual(
                "vllm-cache",
                Optional.of(CallForm.of(
                        e, "--gpu-memory-utilization " + String.format(Locale.ROOT, "%.2f", share + ROOM_FOR_CACHE))),
                Text.of("remedy.vllm-cache.why.least", Text.fraction(share))));
    }

    private static double roundedUp(double share) {
        return Math.ceil(HUNDREDTHS * share - EPSILON) / HUNDREDTHS;
    }

    /** What binary fractions are off. */
    private static final double EPSILON = 1e-6;

    /** A cache of a few hundredths of the device is the least that serves. */
    private static final double ROOM_FOR_CACHE = 0.03;

    /** Whether weights and activations alone take more than can be given, or the device ran out at a share that was larger. */
    private static boolean noShareFits(Evidence e) {
        ServerOptions options = e.surroundings().server();
        boolean full = roundedUp(options.least().orElse(0)) + ROOM_FOR_CACHE > MOST_FITTING;
        return full || options.failedAt().isPresent();
    }

    private static final double MOST_FITTING = 0.98;

    /** Where a larger share runs out and a smaller one is too little, what lies beside weights and cache has to shrink. */
    static Optional<Remedy> smallerGraphs(Evidence e) {
        boolean stuck = e.claims(Claim.SHARE_TOO_SMALL)
                && server(e) == Server.SGLANG
                && e.surroundings().server().failedAt().isPresent();
        return stuck
                ? Optional.of(Remedy.manual(
                        "sglang-graphs",
                        Optional.of("--cuda-graph-max-bs 8"),
                        Remedy.whyOf(
                                "sglang-graphs",
                                Text.fraction(
                                        e.surroundings().server().failedAt().getAsDouble()))))
                : Optional.empty();
    }

    /** Graphs that are captured at the start, one for each number of requests, where that ran out. */
    static Optional<Remedy> fewerGraphs(Evidence e) {
        boolean captures = e.report().text().contains("apture cuda graph failed")
                || e.report().context().lines().stream()
                        .anyMatch(line -> CAPTURES.stream().anyMatch(line::contains));
        if (!captures || !e.origin().serves()) {
            return Optional.empty();
        }
        String command = switch (server(e)) {
            case SGLANG -> "--cuda-graph-max-bs 8";
            case VLLM -> CallForm.of(e, "--enforce-eager");
            default -> "";
        };
        return command.isEmpty() ? Optional.empty() : own("fewer-graphs", command);
    }

    private static final List<String> CAPTURES = List.of(
            "apture cuda graph failed",
            "in capture_one_batch_size",
            "init_cuda_graphs",
            "in init_device_graphs",
            "in capture_model");

    /** Whether no share of the device holds what this process has and asks for, since others hold the rest. */
    private static boolean fitsBesideNobody(Evidence e) {
        boolean crowded = e.others().beyondShare().orElse(0) > 0
                && !e.others().areSlight()
                && !e.room().freeWasEnough();
        if (!crowded || e.tried().isEmpty() || e.report().reservedBytes().isEmpty()) {
            return false;
        }
        long needed = e.report().reservedBytes().getAsLong() + e.tried().getAsLong();
        return Double.parseDouble(below(e)) * e.total().orElseThrow() <= needed;
    }

    private static boolean isBesideOthers(Evidence e) {
        return e.origin().serves() && server(e) == Server.VLLM && fitsBesideNobody(e);
    }

    /** Says so, where others hold what weights would need: no share of the device helps there. */
    static Optional<Remedy> besideOthers(Evidence e) {
        if (!isBesideOthers(e)) {
            return Optional.empty();
        }
        return Optional.of(Remedy.manual(
                "beside-others",
                Optional.empty(),
                Remedy.whyOf(
                        "beside-others",
                        Text.size(e.report().reservedBytes().orElseThrow()),
                        Text.size(e.tried().orElseThrow()),
                        Text.size(e.total().orElseThrow() - e.outside().orElseThrow()),
                        Text.size(e.total().orElseThrow()))));
    }

    /** Pictures: the parts of a pipeline take turns on the device. */
    private static Optional<Remedy> imageParts(Evidence e) {
        if (e.surroundings().show(Trait.COMFYUI)) {
            // On a Mac host and device share one memory: the switch does nothing there.
            return e.device() == DeviceKind.APPLE ? Optional.empty() : own("image-parts", "--lowvram");
        }
        if (e.surroundings().show(Trait.INVOKEAI)) {
            return own("image-parts", "enable_partial_loading: true   # invokeai.yaml");
        }
        if (e.surroundings().show(Trait.FORGE)) {
            return own("image-parts", "--always-offload-from-vram");
        }
        if (e.surroundings().show(Trait.MODEL_OFFLOADED)) {
            return Optional.of(Remedy.manual(
                    "image-parts",
                    Optional.of("pipe.enable_sequential_cpu_offload()"),
                    Text.of("remedy.image-parts.why.layers")));
        }
        return own(
                "image-parts",
                e.surroundings().show(Trait.IMAGE_UI) ? webUiParts(e) : "pipe.enable_model_cpu_offload()");
    }

    /** The smallest cards hold no part of a model whole, and who takes turns with the parts already has only the smaller ones left. */
    private static String webUiParts(Evidence e) {
        boolean small = e.total().orElse(Long.MAX_VALUE) <= OF_SMALL_CARDS;
        return small || e.report().context().says("--medvram") ? "--lowvram" : "--medvram";
    }

    private static final long OF_SMALL_CARDS = 3L << 30;

    /** Pictures: what is decoded in one piece grows with their area. */
    static Optional<Remedy> smallerPictures(Evidence e) {
        if (!e.origin().serves() || server(e) != Server.IMAGES) {
            return Optional.empty();
        }
        boolean tiled = e.report().context().says("enable_tiling");
        boolean pipeline = e.surroundings().show(Trait.DIFFUSERS) && !tiled;
        return Optional.of(Remedy.manual(
                "smaller-pictures",
                pipeline ? Optional.of("pipe.vae.enable_tiling()") : Optional.empty(),
                Remedy.whyOf("smaller-pictures")));
    }

    /** SGLang's slots for requests, which are counted, not measured. */
    private static boolean areSlots(Evidence e) {
        return e.report().library().filter("sglang"::equals).isPresent() && e.claims(Claim.LIMIT);
    }

    /** Several devices for one model. */
    static Optional<Remedy> spread(Evidence e) {
        boolean staged = e.report().context().lines().stream()
                .anyMatch(line -> STAGES.matcher(line).find()); // It has given its devices to stages.
        if (!e.origin().serves() || e.device() == DeviceKind.APPLE || areSlots(e) || staged) {
            return Optional.empty(); // A Mac has one device; slots are no bytes.
        }
        if (twice(e) > e.surroundings().server().visible().orElse(Integer.MAX_VALUE)) {
            return Optional.empty(); // No more devices are given to it.
        }
        return switch (server(e)) {
            case VLLM ->
                twice(e) > OF_A_NODE
                        ? Optional.empty()
                        : own("spread", CallForm.of(e, "--tensor-parallel-size " + twice(e)));
            case SGLANG -> own("spread", "--tp " + twice(e));
            case TENSORRT_LLM -> withinANode(e, "--tp_size ");
            case TGI -> withinANode(e, "--num-shard ");
            case LMDEPLOY -> withinANode(e, "--tp ");
            case OLLAMA ->
                e.surroundings().show(Trait.JETSON) || e.surroundings().show(Trait.OLDER_LLAMA)
                        ? Optional.empty()
                        : own("spread", "OLLAMA_SCHED_SPREAD=1");
            case LLAMA_CPP, TRITON, IMAGES, OTHER ->
                Optional.empty(); // llama.cpp spreads layers unless told otherwise.
        };
    }

    /** Of servers that are started on one machine, which has eight devices at most. */
    private static Optional<Remedy> withinANode(Evidence e, String option) {
        return twice(e) > OF_A_NODE ? Optional.empty() : own("spread", option + twice(e));
    }

    private static final Pattern STAGES =
            Pattern.compile("(?:--pipeline-parallel-size|-pp|pipeline_parallel_size)[=\\s:]\\s{0,2}(?:[2-9]|\\d{2})");

    private static final int OF_A_NODE = 8;

    /** Less than what is free, at the start; a smaller cache otherwise. */
    private static Optional<Remedy> utilisation(Evidence e) {
        String command = CallForm.of(e, "--gpu-memory-utilization " + below(e));
        return e.claims(Claim.HELD_BY_OTHERS)
                ? Optional.of(Remedy.manual(
                        "vllm-utilisation", Optional.of(command), Text.of("remedy.vllm-utilisation.why.start")))
                : own("vllm-utilisation", command);
    }

    /** Whether what is served has weights that come in fewer bits: models of language and of pictures, no detector or reader of text. */
    static boolean servesLanguageModel(Evidence e) {
        return switch (server(e)) {
            case TRITON -> false;
            case OTHER ->
                e.report().context().says("transformers")
                        || e.report().context().says(".generate(");
            default -> true;
        };
    }

    /** Weights of fewer bits. */
    static Optional<Remedy> smallerWeights(Evidence e) {
        boolean small =
                e.surroundings().show(Trait.QUANTISED) || e.surroundings().show(Trait.COMPUTE_BUFFER) || areSlots(e);
        boolean start =
                e.claims(Claim.HELD_BY_OTHERS) && e.others().takenAtStart().isPresent();
        return e.origin().serves() && !small
                ? Optional.of(Remedy.manual(
                        "smaller-weights",
                        Optional.empty(),
                        Text.of("remedy.smaller-weights.why" + (start ? ".start" : ""))))
                : Optional.empty();
    }

    /** The same where the host's memory was to hold them. */
    static Optional<Remedy> smallerWeightsOnHost(Evidence e) {
        boolean told = e.report().library().filter("ollama"::equals).isPresent()
                || e.report().library().filter("llama.cpp"::equals).isPresent() && !holdsCache(e)
                || e.claims(Claim.HOST_MEMORY)
                        && (e.surroundings().show(Trait.OLLAMA)
                                || e.surroundings().show(Trait.LLAMA_CPP));
        return told
                ? Optional.of(Remedy.manual("host-weights", Optional.empty(), Remedy.whyOf("host-weights")))
                : Optional.empty();
    }

    /** Whether the start would go on with the share that is free. */
    static boolean wantsLess(Evidence e) {
        return e.claims(Claim.HELD_BY_OTHERS) && e.others().takenAtStart().isPresent() && !leavesTooLittle(e);
    }

    /** Less than half of what the server wanted is free: others hold the rest, and a share that small serves nothing. */
    static boolean leavesTooLittle(Evidence e) {
        return e.others().takenAtStart().isPresent()
                && e.tried().isPresent()
                && 2 * e.free().getAsLong() < e.tried().getAsLong();
    }

    /** Half of what the message says could not be handled; the whole batch has an option of its own. */
    private static String tokens(Evidence e) {
        Matcher m = TOKENS.matcher(
                e.report().text() + " " + String.join(" ", e.report().context().lines()));
        if (!m.find()) {
            return "--max-batch-prefill-tokens " + UNTOLD;
        }
        long half = Math.max(1, Long.parseLong(m.group(1)) / 2);
        return (m.group(2).equals("total") ? "--max-batch-total-tokens " : "--max-batch-prefill-tokens ") + half;
    }

    /** Below what was free of the device at the start, where vLLM prints it; else below its default of 0.9. */
    private static String below(Evidence e) {
        boolean told = e.report().framework() == Framework.VLLM
                && e.free().isPresent()
                && e.total().isPresent();
        boolean crowded = e.others().beyondShare().orElse(0) > 0
                && !e.others().areSlight()
                && !e.room().freeWasEnough();
        if (!told && (e.others().weighMost() || crowded && leftByOthers(e) < USUAL_SHARE)) {
            double left = leftByOthers(e);
            return smaller(Math.floor(HUNDREDTHS * left) / HUNDREDTHS - 1 / HUNDREDTHS, OptionalDouble.empty());
        }
        double share = told
                ? Math.floor(HUNDREDTHS * e.free().getAsLong() / e.total().getAsLong()) / HUNDREDTHS - 1 / HUNDREDTHS
                : USUAL_SHARE;
        return smaller(
                Math.min(USUAL_SHARE, share),
                told ? OptionalDouble.empty() : e.surroundings().server().share());
    }

    private static final double USUAL_SHARE = 0.85;

    private static double leftByOthers(Evidence e) {
        return 1 - (double) e.outside().orElseThrow() / e.total().orElseThrow();
    }

    /** This share, or a step below the one that is set where that is smaller still. */
    private static String smaller(double share, OptionalDouble set) {
        double below = set.isPresent() ? Math.min(share, set.getAsDouble() - STEP) : share;
        return String.format(Locale.ROOT, "%.2f", Math.max(LEAST_SHARE, below));
    }

    /** Fewer requests than are set, and shorter ones. */
    private static String fewer(Evidence e) {
        int set = e.surroundings().server().sequences().orElse(2 * USUAL_SEQUENCES);
        int sequences = Math.min(USUAL_SEQUENCES, set / 2);
        String options =
                (sequences >= 1 ? "--max-num-seqs " + sequences : "") + upTo(e, " --max-model-len ", USUAL_LENGTH);
        return options.isEmpty() ? "--max-num-seqs 1" : options.strip();
    }

    private static final int USUAL_SEQUENCES = 64;

    private static String smallerChunk(Evidence e) {
        int set = e.surroundings().server().chunk().orElse(2 * USUAL_CHUNK);
        int chunk = Math.min(USUAL_CHUNK, set / 2);
        return chunk >= SHORT / 2 ? " --chunked-prefill-size " + chunk : "";
    }

    private static int twice(Evidence e) {
        return 2 * Math.max(1, e.surroundings().server().parallel().orElse(1));
    }

    private static OptionalLong bound(Evidence e) {
        Matcher m = BOUND.matcher(e.report().text());
        return m.find() ? OptionalLong.of(Long.parseLong(m.group(1).replace(",", ""))) : OptionalLong.empty();
    }

    /** By the message itself, then by the lines around it, the one that answers requests before what runs under it. */
    private static Server server(Evidence e) {
        String library = e.report().library().orElse("");
        for (Known known : KNOWN) {
            if (known.library().equals(library)) {
                return known.server();
            }
        }
        if (e.report().framework() == Framework.VLLM) {
            return Server.VLLM;
        }
        for (Known known : KNOWN) {
            if (e.surroundings().show(known.trait())) {
                return known.server();
            }
        }
        return isLlama(e.report().framework()) ? Server.LLAMA_CPP : Server.OTHER;
    }

    /** How a server is known: by the lines around a message, and by the library that prints it. */
    private record Known(Trait trait, String library, Server server) {}

    private static final List<Known> KNOWN = List.of(
            new Known(Trait.VLLM_OMNI, "vllm-omni", Server.OTHER),
            new Known(Trait.VLLM, "vllm", Server.VLLM),
            new Known(Trait.SGLANG, "sglang", Server.SGLANG),
            new Known(Trait.TGI, "tgi", Server.TGI),
            new Known(Trait.LMDEPLOY, "lmdeploy", Server.LMDEPLOY),
            new Known(Trait.TENSORRT_LLM, "tensorrt-llm", Server.TENSORRT_LLM),
            new Known(Trait.TRITON, "triton", Server.TRITON),
            new Known(Trait.OLLAMA, "ollama", Server.OLLAMA),
            new Known(Trait.LLAMA_CPP, "llama.cpp", Server.LLAMA_CPP),
            new Known(Trait.COMFYUI, "comfyui", Server.IMAGES),
            new Known(Trait.IMAGE_UI, "webui", Server.IMAGES),
            new Known(Trait.DIFFUSERS, "diffusers", Server.IMAGES));

    private static Optional<Remedy> own(String id, String command) {
        return Optional.of(Remedy.manual(id, Optional.of(command), Remedy.whyOf(id)));
    }
}
