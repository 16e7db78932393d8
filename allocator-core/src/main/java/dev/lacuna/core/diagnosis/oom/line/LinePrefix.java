package dev.lacuna.core.diagnosis.oom.line;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What launchers, loggers and people put in front of a line: ranks, worker names, time stamps, quote marks. Every
 * pattern is anchored and bounded, so a line costs constant time.
 *
 * @param length characters of the line that the prefix takes
 * @param writer name of the line's writer; empty when the prefix names none
 * @param rank its rank, where told
 */
record LinePrefix(int length, String writer, OptionalInt rank) {
    private static final int MAX_PARTS = 8;
    private static final int MAX_LENGTH = 256;

    /**
     * One kind of prefix: characters it can begin with, and after a bracket or parenthesis the kind of the next one;
     * whether it names a writer, and (group "rank") its rank.
     */
    private record Part(String first, boolean digitNext, Pattern pattern, boolean writer, boolean rank) {
        static Part noise(String first, String regex) {
            return of(first, regex, false, false);
        }

        static Part writer(String first, String regex) {
            return of(first, regex, true, false);
        }

        static Part rank(String first, String regex) {
            return of(first, regex, true, true);
        }

        private static Part of(String first, String regex, boolean writer, boolean rank) {
            return new Part(first, regex.startsWith("\\[\\d"), Pattern.compile(regex), writer, rank);
        }

        /** Whether the prefix can begin with these two characters, as a cheap look tells. */
        boolean canBegin(char c, char then) {
            return first.indexOf(c) >= 0 && (c != '[' || digitNext == (then >= '0' && then <= '9'));
        }
    }

    private static final String DIGITS = "0123456789";

    private static final List<Part> PARTS = List.of(
            // PyTorch's exception hook and torchrun --tee: [rank3]: , [default3]:
            Part.rank(
                    "[",
                    "\\[(?!(?i:epoch|step|iter|batch|line|node|host|gpu|cuda|npu|device|core|thread|layer|stage))"
                            + "[A-Za-z_]{1,24}(?<rank>\\d{1,6})\\]:?\\s?"),
            // SGLang: [2026-01-01 00:00:00 DP0 TP7]
            Part.rank(
                    "[",
                    "\\[\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d(?: [A-Z_]{2,10}\\d{1,4}){0,3} TP(?<rank>\\d{1,6})"
                            + "(?: [A-Z_]{2,10}\\d{1,4}){0,3}\\]\\s{0,4}"),
            // DeepSpeed, Accelerate: [Rank 3]; and people: rank3:, Rank 3:
            Part.rank("[", "\\[(?i:rank|local_rank|global_rank)[ :=_-]{0,2}(?<rank>\\d{1,6})\\]:?\\s?"),
            Part.rank("rR", "(?i:rank)[ _-]?(?<rank>\\d{1,6}):\\s"),
            // torch_npu: [ERROR] 2025-09-28-07:22:30 (PID:316198, Device:7, RankID:3)
            Part.rank(
                    "[",
                    "\\[[A-Z]{4,8}\\] \\d{4}-\\d\\d-\\d\\d-\\d\\d:\\d\\d:\\d\\d \\(PID:\\d{1,10}, Device:-?\\d{1,4}, RankID:"
                            + "(?<rank>\\d{1,6})\\)\\s?"),
            // Open MPI --tag-output: [1,3]<stderr>:
            Part.rank("[", "\\[\\d{1,6},(?<rank>\\d{1,6})\\]<std(?:err|out)>:\\s?"),
            // vLLM: (VllmWorker rank=1 pid=2445156)
            Part.rank("(", "\\([A-Za-z_]{1,40}\\s[^()]{0,40}?rank=(?<rank>\\d{1,6})\\b[^()]{0,80}\\)\\s?"),
            // vLLM with tensor parallelism alone: (Worker_TP3 pid=1), (VllmWorker TP1 pid=1)
            Part.rank("(", "\\([A-Za-z]{1,24}[_ ]TP(?<rank>\\d{1,6})\\spid=\\d{1,10}\\)\\s?"),
            // vLLM, Ray: (EngineCore_DP0 pid=8884), (RayWorkerWrapper pid=1, ip=10.0.0.1)
            Part.writer("(", "\\([A-Za-z_][A-Za-z_0-9 ]{0,60}\\spid=\\d{1,10}[^()]{0,60}\\)\\s?"),
            // srun --label, only before an exception: a bare number and colon says too little
            Part.rank(
                    DIGITS,
                    "(?<rank>\\d{1,6}): (?=\\s{0,4}(?:[A-Za-z_]{1,40}\\.){0,6}[A-Za-z]{0,40}(?:Error|Exception)\\b)"),
            // Kubernetes: [pod/train-3/main]
            Part.writer("[", "\\[pod/[^\\]\\s]{1,120}\\]\\s?"),
            Part.noise(DIGITS, "\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d\\S{0,20}\\s{1,4}"),
            // AWS Neuron: 2025-Jan-02 03:04:05.678901  4242:4242  ERROR  TDRV:dmem_alloc_internal
            Part.noise(
                    DIGITS,
                    "\\d{4}-[A-Z][a-z]{2}-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{1,9}\\s{1,4}\\d{1,10}:\\d{1,10}\\s{1,4}[A-Z]{4,8}\\s{1,4}"
                            + "\\S{1,40}\\s{1,40}"),
            Part.noise("[", "\\[\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d[^\\]\\s]{0,20}\\]\\s{0,4}"),
            // Kubernetes' CRI: 2026-01-01T00:00:00.123456789Z stderr F
            // TensorRT-LLM: [09/17/2025-21:24:19] [TRT-LLM] [RANK 2] [E]
            Part.noise("[", "\\[\\d\\d/\\d\\d/\\d{4}-\\d\\d:\\d\\d:\\d\\d\\]\\s{1,4}"),
            Part.noise("[", "\\[(?:TRT-LLM|TensorRT-LLM|TRT)\\]\\s?"),
            Part.noise("[", "\\[[EWIVF]\\]\\s"),
            Part.noise("s", "(?:stdout|stderr) [FP] "),
            Part.noise(DIGITS, "\\d\\d/\\d\\d/\\d{4} \\d\\d:\\d\\d:\\d\\d(?: [AP]M)?\\s{1,4}"),
            // syslog, journalctl: Nov 21 07:21:43 host python3[123]:
            Part.writer(
                    "JFMASOND",
                    "[A-Z][a-z]{2}\\s{1,2}\\d{1,2} \\d\\d:\\d\\d:\\d\\d [\\w.-]{1,60} [\\w./-]{1,60}(?:\\[\\d{1,8}\\])?: ?"),
            Part.noise("[", "\\[ModelArts Service Log\\]\\s?"),
            // loguru: | ERROR    | module:function:12 -
            Part.noise(
                    "|",
                    "\\|\\s{0,2}(?:ERROR|WARNING|WARN|INFO|CRITICAL|DEBUG)\\s{0,4}\\|\\s(?:[\\w.]{1,60}(?::[\\w<>]{1,60}){0,2} - )?"),
            Part.noise(
                    "EWICD", "(?:ERROR|WARNING|WARN|INFO|CRITICAL|DEBUG) \\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\s{0,2}"),
            Part.noise("[", "\\[[\\w./-]{1,60}:\\d{1,6}\\]\\s?"),
            Part.noise(
                    "-EWICD",
                    "(?:- )?(?:ERROR|WARNING|WARN|INFO|CRITICAL|DEBUG)(?: -|:)?\\s{1,4}(?:[a-z_][\\w.]{1,60}(?::\\d{1,6})? - )?"),
            Part.noise("[", "\\[(?:ERROR|WARNING|WARN|INFO|CRITICAL|DEBUG)\\]\\s{1,4}"),
            // Quotes, comments, list marks, table bars, code fences.
            Part.noise(">#/*-+|", "(?:>{1,3}|#{1,3}|//|\\*|-|\\+|\\|)\\s{1,8}"),
            Part.noise("`", "`{1,3}"));

    /** Docker compose: {@code worker-1  | }. Any letter can begin it, so it is looked for by its bar. */
    private static final Part COMPOSE = Part.writer("", "[A-Za-z0-9][\\w.-]{0,60}-\\d{1,4}\\s{1,20}\\|\\s");

    /** The prefix of this line, which may begin with a launcher's bare rank; nothing is a prefix of length 0 without writer. */
    static LinePrefix of(String line, boolean labelled) {
        int end = Math.min(line.length(), MAX_LENGTH);
        int label = labelled ? SrunLabels.labelEnd(line) : -1;
        int at = Math.max(0, label);
        String writer = label < 0 ? "" : line.substring(0, label).strip();
        OptionalInt rank = label < 0
                ? OptionalInt.empty()
                : OptionalInt.of(Integer.parseInt(writer.substring(0, writer.length() - 1)));
        for (int i = 0; i < MAX_PARTS; i++) {
            at = afterSpace(line, at, end);
            Optional<Found> found = at < end ? find(line, at, end) : Optional.empty();
            if (found.isEmpty()) {
                break;
            }
            if (found.get().part().writer()) {
                writer = writer + line.substring(at, found.get().end()).strip();
            }
            if (rank.isEmpty()) {
                rank = found.get().rank();
            }
            at = found.get().end();
        }
        return new LinePrefix(at, writer, rank);
    }

    /** A part that stands in a line. */
    private record Found(Part part, int end, OptionalInt rank) {}

    private static Optional<Found> find(String line, int at, int end) {
        char c = line.charAt(at);
        if (at > 0 && Character.isLetterOrDigit(c) && Character.isLetterOrDigit(line.charAt(at - 1))) {
            return Optional.empty(); // Within a word.
        }
        char then = at + 1 < end ? line.charAt(at + 1) : ' ';
        for (Part part : PARTS) {
            if (part.canBegin(c, then)) {
                Optional<Found> found = match(part, line, at, end);
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        int bar = at == 0 ? line.indexOf('|') : -1;
        return bar > 0 && bar < end ? match(COMPOSE, line, at, end) : Optional.empty();
    }

    private static Optional<Found> match(Part part, String line, int at, int end) {
        Matcher m = part.pattern().matcher(line).region(at, end);
        if (!m.lookingAt()) {
            return Optional.empty();
        }
        OptionalInt rank = part.rank() ? OptionalInt.of(Integer.parseInt(m.group("rank"))) : OptionalInt.empty();
        return Optional.of(new Found(part, m.end(), rank));
    }

    private static int afterSpace(String line, int at, int end) {
        int i = at;
        while (i < end && Character.isWhitespace(line.charAt(i))) {
            i++;
        }
        return i;
    }
}
