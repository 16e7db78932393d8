package dev.lacuna.core.diagnosis.oom;

import dev.lacuna.core.diagnosis.oom.model.ServerOptions;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds the options of vLLM and SGLang in command lines and printed configurations; the first of each counts. */
final class ServerOptionSearch {
    private static final String SET = "['\"]?[ =:]{1,3}['\"]?";
    private static final Pattern SHARE = Pattern.compile(
            "(?:gpu[-_]memory[-_]utilization|mem[-_]fraction[-_]static)" + SET + "(1(?:\\.0{1,4})?|0?\\.\\d{1,6})");
    private static final Pattern LENGTH =
            Pattern.compile("(?:max[-_]model[-_]len|max_seq_len|context[-_]length)" + SET + "(\\d{1,9})");
    private static final Pattern PARALLEL =
            Pattern.compile("(?:tensor[-_]parallel[-_]size|--tp-size|tp_size|(?<=\\s)-tp|--tp|num[-_]shard)" + SET
                    + "(?:Some\\()?(\\d{1,4})");
    private static final Pattern CHUNK = Pattern.compile("chunked[-_]prefill[-_]size" + SET + "(\\d{1,9})");

    /** Workers of SGLang and vLLM, which tell how many there are: {@code [… DP0 TP7]}, {@code (VllmWorker rank=7 pid=…)}. */
    private static final Pattern RANK = Pattern.compile(
            "^\\[\\d{4}-[^\\]]{10,40} TP(\\d{1,3})[ \\]]|\\(VllmWorker rank=(\\d{1,3}) |\\(Worker_TP(\\d{1,3})[ )]");

    private int ranks;
    private OptionalDouble share = OptionalDouble.empty();
    private OptionalInt length = OptionalInt.empty();
    private OptionalInt parallel = OptionalInt.empty();
    private OptionalInt chunk = OptionalInt.empty();

    /** Looks at a line. */
    void see(String line) {
        if (line.contains(" TP") || line.contains("Worker")) {
            rank(line);
        }
        if (share.isEmpty() && (line.contains("utilization") || line.contains("fraction"))) {
            Matcher m = SHARE.matcher(line);
            share = m.find() ? OptionalDouble.of(Double.parseDouble(m.group(1))) : share;
        }
        length = length.isEmpty() && (line.contains("max") || line.contains("context")) ? first(LENGTH, line) : length;
        parallel = parallel.isEmpty() && (line.contains("tp") || line.contains("parallel") || line.contains("shard"))
                ? first(PARALLEL, line)
                : parallel;
        chunk = chunk.isEmpty() && line.contains("chunked") ? first(CHUNK, line) : chunk;
    }

    private void rank(String line) {
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
        OptionalInt seen = ranks > 1 ? OptionalInt.of(ranks) : OptionalInt.empty();
        return new ServerOptions(share, length, parallel.isPresent() ? parallel : seen, chunk);
    }

    private static OptionalInt first(Pattern pattern, String line) {
        Matcher m = pattern.matcher(line);
        return m.find() ? OptionalInt.of(Integer.parseInt(m.group(1))) : OptionalInt.empty();
    }
}
