package dev.lacuna.core.trace;

import dev.lacuna.core.memory.Phase;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Trace text: one command per line, {@code #} starts a comment, and what follows a tab and {@code =>} is somebody's expected
 * outcome, which is not part of the trace.
 */
public final class TextTraceReader implements TraceReader {
    private static final String TOTAL = "total";
    private static final String OUTCOME = "\t=>";

    private static final Set<String> WORDS = Stream.concat(
                    Stream.of(TOTAL), Arrays.stream(TraceOperation.values()).map(TraceOperation::word))
            .collect(Collectors.toUnmodifiableSet());

    @Override
    public String format() {
        return "trace";
    }

    @Override
    public boolean recognises(String head) {
        String first = head.strip();
        if (first.startsWith("\uFEFF")) {
            first = first.substring(1);
        }
        if (first.startsWith("#")) {
            return true;
        }
        return WORDS.contains(first.split("\\s", 2)[0]);
    }

    @Override
    public AllocationTrace read(InputStream in) throws IOException {
        return new Parse(new TraceLines(in)).run();
    }

    /** One run over one input. */
    private static final class Parse {
        private final TraceLines lines;
        private final AllocationTrace.Builder trace = AllocationTrace.builder();
        private final BlockNames<String> names = new BlockNames<>();
        private boolean allocated;

        Parse(TraceLines lines) {
            this.lines = lines;
        }

        AllocationTrace run() throws IOException {
            for (Optional<String> line = lines.next(); line.isPresent(); line = lines.next()) {
                String command = meaningful(line.get());
                if (!command.isEmpty()) {
                    add(command.split("\\s+"));
                }
            }
            return trace.build();
        }

        private static String meaningful(String line) {
            int outcome = line.indexOf(OUTCOME);
            String command = outcome < 0 ? line : line.substring(0, outcome);
            int comment = command.indexOf('#');
            return (comment < 0 ? command : command.substring(0, comment)).strip();
        }

        private void add(String[] words) throws TraceFormatException {
            switch (words[0]) {
                case TOTAL -> total(words);
                case "other" -> trace.other(TraceNumbers.bytes(shaped(words, 2, 2, "other BYTES")[1], lines));
                case "fraction" -> trace.fraction(fraction(shaped(words, 2, 2, "fraction NUMBER")[1]));
                case "alloc" -> alloc(shaped(words, 3, 4, "alloc ID BYTES [STREAM]"));
                case "free" -> free(shaped(words, 2, 2, "free ID")[1]);
                case "phase" -> phase(shaped(words, 3, 3, "phase setup|forward|step begin|end"));
                case "empty-cache" -> {
                    shaped(words, 1, 1, "empty-cache");
                    trace.emptyCache();
                }
                case "stats" -> {
                    shaped(words, 1, 1, "stats");
                    trace.stats();
                }
                default -> throw lines.failure(TraceProblem.UNKNOWN_COMMAND, words[0]);
            }
        }

        private void total(String[] words) throws TraceFormatException {
            long bytes = TraceNumbers.bytes(shaped(words, 2, 2, "total BYTES")[1], lines);
            if (bytes == 0) {
                throw lines.failure(TraceProblem.BAD_NUMBER, words[1]);
            }
            if (allocated) {
                throw lines.failure(TraceProblem.LATE_TOTAL, words[1]);
            }
            trace.total(bytes);
        }

        private void alloc(String[] words) throws TraceFormatException {
            if (names.isLive(words[1])) {
                throw lines.failure(TraceProblem.LIVE_ALREADY, words[1]);
            }
            long bytes = TraceNumbers.bytes(words[2], lines);
            int stream = words.length == 4 ? TraceNumbers.stream(words[3], lines) : 0;
            names.born(words[1], trace.alloc(words[1], bytes, stream));
            allocated = true;
        }

        private void free(String name) throws TraceFormatException {
            OptionalInt block = names.freed(name);
            if (block.isEmpty()) {
                throw lines.failure(TraceProblem.NOT_LIVE, name);
            }
            trace.free(block.getAsInt());
        }

        private void phase(String[] words) throws TraceFormatException {
            Optional<Phase> phase = Arrays.stream(Phase.values())
                    .filter(p -> p.label().equals(words[1]))
                    .findFirst();
            boolean begins = words[2].equals("begin");
            if (phase.isEmpty() || !begins && !words[2].equals("end")) {
                throw lines.failure(TraceProblem.BAD_PHASE, words[1] + " " + words[2]);
            }
            trace.phase(phase.get(), begins);
        }

        private double fraction(String word) throws TraceFormatException {
            double fraction;
            try {
                fraction = Double.parseDouble(word);
            } catch (NumberFormatException e) {
                throw lines.failure(TraceProblem.BAD_NUMBER, word);
            }
            if (!(fraction > 0 && fraction <= 1)) {
                throw lines.failure(TraceProblem.BAD_NUMBER, word);
            }
            return fraction;
        }

        private String[] shaped(String[] words, int least, int most, String form) throws TraceFormatException {
            if (words.length < least || words.length > most) {
                throw lines.failure(TraceProblem.WRONG_SHAPE, form);
            }
            return words;
        }
    }
}
