package dev.lacuna.core.oom;

import java.util.List;
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

    /** One kind of prefix: whether it names a writer, and (group "rank") its rank. */
    private record Part(Pattern pattern, boolean writer, boolean rank) {
        static Part noise(String regex) {
            return new Part(Pattern.compile(regex), false, false);
        }

        static Part writer(String regex) {
            return new Part(Pattern.compile(regex), true, false);
        }

        static Part rank(String regex) {
            return new Part(Pattern.compile(regex), true, true);
        }
    }

    private static final List<Part> PARTS = List.of(
            // PyTorch's exception hook and torchrun --tee: [rank3]: , [default3]:
            Part.rank("\\[[A-Za-z_]{1,24}(?<rank>\\d{1,6})\\]:?\\s?"),
            // Open MPI --tag-output: [1,3]<stderr>:
            Part.rank("\\[\\d{1,6},(?<rank>\\d{1,6})\\]<std(?:err|out)>:\\s?"),
            // vLLM: (VllmWorker rank=1 pid=2445156)
            Part.rank("\\([A-Za-z_]{1,40}\\s[^()]{0,40}?rank=(?<rank>\\d{1,6})\\b[^()]{0,80}\\)\\s?"),
            // vLLM with tensor parallelism alone: (Worker_TP3 pid=1), (VllmWorker TP1 pid=1)
            Part.rank("\\([A-Za-z]{1,24}[_ ]TP(?<rank>\\d{1,6})\\spid=\\d{1,10}\\)\\s?"),
            // vLLM, Ray: (EngineCore_DP0 pid=8884), (RayWorkerWrapper pid=1, ip=10.0.0.1)
            Part.writer("\\([A-Za-z_][A-Za-z_0-9 ]{0,60}\\spid=\\d{1,10}[^()]{0,60}\\)\\s?"),
            // srun --label, only before an exception: a bare number and colon says too little
            Part.rank(
                    "\\s{0,6}(?<rank>\\d{1,6}): (?=\\s{0,4}(?:[A-Za-z_]{1,40}\\.){0,6}[A-Za-z]{0,40}(?:Error|Exception)\\b)"),
            // Kubernetes: [pod/train-3/main]
            Part.writer("\\[pod/[^\\]\\s]{1,120}\\]\\s?"),
            // Docker compose: worker-1  |
            Part.writer("[A-Za-z0-9][\\w.-]{0,60}-\\d{1,4}\\s{1,20}\\|\\s"),
            Part.noise("\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d\\S{0,20}\\s{1,4}"),
            Part.noise("\\[\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d[^\\]\\s]{0,20}\\]\\s{0,4}"),
            Part.noise("(?:ERROR|WARNING|WARN|INFO|CRITICAL|DEBUG) \\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\s{0,2}"),
            Part.noise("\\[[\\w./-]{1,60}:\\d{1,6}\\]\\s?"),
            Part.noise("(?:- )?(?:ERROR|WARNING|WARN|INFO|CRITICAL|DEBUG)(?: -|:)?\\s{1,4}"),
            Part.noise("\\[(?:ERROR|WARNING|WARN|INFO|CRITICAL|DEBUG)\\]\\s{1,4}"),
            // Quotes, comments, list marks, table bars, code fences.
            Part.noise("(?:>{1,3}|#{1,3}|//|\\*|-|\\|)\\s{1,8}"),
            Part.noise("`{1,3}"),
            Part.noise("\\s{1,64}"));

    /** The prefix of this line; nothing is a prefix of length 0 without writer. */
    static LinePrefix of(CharSequence line) {
        int end = Math.min(line.length(), MAX_LENGTH);
        int at = 0;
        String writer = "";
        OptionalInt rank = OptionalInt.empty();
        for (int i = 0; i < MAX_PARTS && at < end; i++) {
            int before = at;
            for (Part part : PARTS) {
                Matcher m = part.pattern().matcher(line).region(at, end);
                if (!m.lookingAt() || m.end() == at) {
                    continue;
                }
                if (part.writer()) {
                    writer = writer + line.subSequence(at, m.end()).toString().strip();
                }
                if (part.rank() && rank.isEmpty()) {
                    rank = OptionalInt.of(Integer.parseInt(m.group("rank")));
                }
                at = m.end();
                break;
            }
            if (at == before) {
                break;
            }
        }
        return new LinePrefix(at, writer, rank);
    }
}
