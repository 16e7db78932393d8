package dev.lacuna.core.diagnosis.oom;

import dev.lacuna.core.diagnosis.oom.model.ServerOptions;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds the options of servers in command lines and printed configurations; the first of each counts. */
final class ServerOptionSearch {
    private static final String SET = "['\"]?[ =:]{1,3}['\"]?";
    private static final Pattern SHARE = Pattern.compile("(?:gpu[-_]memory[-_]utilization|mem[-_]fraction[-_]static)(?:"
            + SET + "| \\()(1(?:\\.0{1,4})?|0?\\.\\d{1,6})");
    private static final Pattern LENGTH =
            Pattern.compile("(?:(?:max[-_]model[-_]len|max_seq_len|context[-_]length|session[-_]len)" + SET
                    + "|\\bn_ctx {1,12}= |--ctx-size )(\\d{1,9})");

    /** What vLLM prints of the longest request, with or without separators. */
    private static final Pattern CONCURRENCY =
            Pattern.compile("Maximum concurrency for (\\d{1,3}(?:,\\d{3}){1,2}|\\d{1,9}) ");

    private static final Pattern PARALLEL =
            Pattern.compile("(?:tensor[-_]parallel[-_]size|--tp-size|tp_size|(?<=\\s)-tp|--tp|num[-_]shard)" + SET
                    + "(?:Some\\()?(\\d{1,4})");
    private static final Pattern SEQUENCES = Pattern.compile(
            "(?:max[-_]num[-_]seqs|max[-_]batch[-_]size|maxBatchSize|max[-_]running[-_]requests)" + SET + "(\\d{1,9})");

    /** Of what weights leave free, which LMDeploy's and TensorRT-LLM's caches take. */
    private static final Pattern CACHE_SHARE = Pattern.compile(
            "(?:cache[-_]max[-_]entry[-_]count|kv_cache_free_gpu_mem(?:ory)?_fraction)" + SET + "(0?\\.\\d{1,6})");

    /** {@code Raise --mem-fraction-static above 0.912 (minimum viable = …)}, which SGLang works out from what weights took. */
    private static final Pattern FLOOR = Pattern.compile("Raise --mem-fraction-static above (0\\.\\d{1,4})");

    /** {@code total_gpu_memory (8.00GiB) x gpu_memory_utilization (0.70) = 5.60GiB}, which vLLM may take in all. */
    private static final Pattern TAKES = Pattern.compile(
            "total_gpu_memory \\((\\d{1,6}\\.\\d{1,3})GiB\\) x gpu_memory_utilization \\(([01]\\.\\d{1,4})\\)");

    /** The parts of that which are no cache, as they were measured. */
    private static final Pattern PARTS = Pattern.compile("(?:model weights take|non_torch_memory takes"
            + "|PyTorch activation peak memory takes) (\\d{1,6}\\.\\d{1,3})GiB");

    /** Prose and commands that tell of a share and, behind it, of a device that ran out. */
    private static final Pattern FAILED_AT = Pattern.compile(
            "mem[-_]fraction[-_]static\\D{1,12}(0?\\.\\d{1,4})\\D{1,60}?out of memory", Pattern.CASE_INSENSITIVE);

    /** {@code ASCEND_RT_VISIBLE_DEVICES=0,1}. */
    private static final Pattern VISIBLE =
            Pattern.compile("VISIBLE_DEVICES['\"]?\\]? ?[=:] ?['\"]?(\\d{1,3}(?:, ?\\d{1,3}){0,63})");

    private static final Pattern CHUNK = Pattern.compile("chunked[-_]prefill[-_]size" + SET + "(\\d{1,9})");

    /** Workers of SGLang and vLLM, which tell how many there are: {@code [… DP0 TP7]}, {@code (VllmWorker rank=7 pid=…)}. */
    private static final Pattern RANK = Pattern.compile(
            "^\\[\\d{4}-[^\\]]{10,40} TP(\\d{1,3})[ \\]]|\\(VllmWorker rank=(\\d{1,3}) |\\(Worker_TP(\\d{1,3})[ )]");

    /** vLLM's workers beside the driver, which have no number. */
    private static final Pattern WORKER = Pattern.compile("\\(VllmWorkerProcess pid=(\\d{1,9})\\)");

    private final Set<String> workers = new HashSet<>();
    private int ranks;
    private OptionalDouble share = OptionalDouble.empty();
    private OptionalInt length = OptionalInt.empty();
    private OptionalInt parallel = OptionalInt.empty();
    private OptionalInt chunk = OptionalInt.empty();
    private OptionalInt sequences = OptionalInt.empty();
    private OptionalDouble failedAt = OptionalDouble.empty();
    private OptionalDouble floor = OptionalDouble.empty();
    private OptionalDouble cacheShare = OptionalDouble.empty();
    private OptionalInt visible = OptionalInt.empty();
    private double totalGib;
    private double partsGib;

    /** Looks at a line. */
    void see(String line) {
        if (line.contains(" TP") || line.contains("Worker")) {
            rank(line);
        }
        if (share.isEmpty() && (line.contains("utilization") || line.contains("fraction"))) {
            share = number(SHARE, line);
        }
        caches(line);
        length = length.isEmpty() && TELLS_LENGTH.stream().anyMatch(line::contains) ? first(LENGTH, line) : length;
        length = length.isEmpty() && line.contains("Maximum") ? first(CONCURRENCY, line) : length;
        parallel = parallel.isEmpty() && (line.contains("tp") || line.contains("parallel") || line.contains("shard"))
                ? first(PARALLEL, line)
                : parallel;
        sequences = sequences.isEmpty() && line.contains("max") ? first(SEQUENCES, line) : sequences;
        if (line.contains("ut of memory") || line.contains("GiB")) {
            measures(line);
        }
        if (visible.isEmpty() && line.contains("VISIBLE_DEVICES")) {
            Matcher m = VISIBLE.matcher(line);
            visible = m.find() ? OptionalInt.of(m.group(1).split(",").length) : visible;
        }
        chunk = chunk.isEmpty() && line.contains("chunked") ? first(CHUNK, line) : chunk;
    }

    private static final List<String> TELLS_LENGTH = List.of("max", "context", "session", "ctx");

    /** What a cache may take, and what weights leave it. */
    private void caches(String line) {
        if (cacheShare.isEmpty() && (line.contains("entry") || line.contains("kv_cache_free"))) {
            cacheShare = number(CACHE_SHARE, line);
        }
        if (line.contains("above 0.")) {
            floor = floor.isPresent() ? floor : number(FLOOR, line);
        }
    }

    private static OptionalDouble number(Pattern pattern, String line) {
        Matcher m = pattern.matcher(line);
        return m.find() ? OptionalDouble.of(Double.parseDouble(m.group(1))) : OptionalDouble.empty();
    }

    /** What vLLM measured before it sized its cache, and at which share SGLang's device ran out. */
    private void measures(String line) {
        Matcher failed = FAILED_AT.matcher(line);
        if (failed.find()) {
            failedAt = OptionalDouble.of(Double.parseDouble(failed.group(1)));
        }
        Matcher takes = TAKES.matcher(line);
        if (takes.find()) {
            totalGib = Double.parseDouble(takes.group(1));
            partsGib = 0;
        }
        Matcher part = PARTS.matcher(line);
        while (totalGib > 0 && part.find()) {
            partsGib += Double.parseDouble(part.group(1));
        }
    }

    private static final int MOST_WORKERS = 64;

    private void rank(String line) {
        Matcher worker = WORKER.matcher(line);
        if (worker.find() && workers.size() < MOST_WORKERS) {
            workers.add(worker.group(1));
        }
        Matcher m = RANK.matcher(line);
        if (m.find()) {
            String number = Stream.of(m.group(1), m.group(2), m.group(3))
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse("0");
            ranks = Math.max(ranks, Integer.parseInt(number) + 1);
        }
    }

    ServerOptions options() {
        int counted = Math.max(ranks, workers.isEmpty() ? 0 : workers.size() + 1);
        // The highest rank that failed need not be the last: models are split over powers of two.
        OptionalInt seen = counted > 1 ? OptionalInt.of(2 * Integer.highestOneBit(counted - 1)) : OptionalInt.empty();
        OptionalDouble least = partsGib > 0 ? OptionalDouble.of(partsGib / totalGib) : OptionalDouble.empty();
        return new ServerOptions(
                share,
                length,
                parallel.isPresent() ? parallel : seen,
                chunk,
                sequences,
                least,
                failedAt,
                floor,
                cacheShare,
                visible);
    }

    private static OptionalInt first(Pattern pattern, String line) {
        Matcher m = pattern.matcher(line);
        return m.find() ? OptionalInt.of(Integer.parseInt(m.group(1).replace(",", ""))) : OptionalInt.empty();
    }
}
