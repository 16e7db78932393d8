package dev.lacuna.core.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.history.Recordings;
import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.model.DeviceFigures;
import dev.lacuna.core.history.model.Recording;
import dev.lacuna.core.history.model.RecordingNotice;
import dev.lacuna.core.trace.model.AllocationTrace;
import dev.lacuna.core.trace.model.TraceFormatException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One word of a trace at a time becomes what it cannot be: it costs its own row at most, which is counted. */
class OddRowsTest {
    private static final String HEADER = "ts_ns,op,addr,size,thread";
    private static final String MISSING = "\0missing";
    private static final String EXTRA = "\0extra";
    private static final List<String> ODD = List.of(
            "odd", "", "-1", "4611686018427387904", "18446744073709551616", "1.5", "true", "null", MISSING, EXTRA);

    private static final List<String> CSV = List.of(
            "0,M,0,10,1",
            "1,A,7f00,511,1",
            "2,A,8f00,1022,1",
            "3,A,9f00,2044,1",
            "4,M,0,11,1",
            "5,F,8f00,0,1",
            "6,A,8f00,4088,1",
            "7,M,0,12,1",
            "8,F,7f00,0,1",
            "9,F,9f00,0,1",
            "10,M,0,13,1",
            "11,F,8f00,0,1");

    private static final List<String> TEXT = List.of(
            "other 1048576",
            "fraction 0.5",
            "phase setup begin",
            "alloc a 511",
            "alloc b 1022 2",
            "phase setup end",
            "free a",
            "alloc a 2044",
            "empty-cache",
            "stats",
            "free b",
            "alloc c-with-a-long-name 4088",
            "free c-with-a-long-name");

    private static final List<String> RECORDED = List.of(
            "# lacuna recording 1: process 7, device 0, \"train.py\"",
            "# agent started 2026-01-02T03:04:05Z; behind #@: nanoseconds since the recording began, address, pool",
            "# lost 0 events; frees of blocks that nobody asked for then 0",
            "# begins with the first event",
            "# lines of events follow: 10",
            "total 1073741824",
            "#@ 1 7f0000000000 stock.large grow 20971520",
            "alloc b0 2097152 #@ 2 7f0000000000 stock.large",
            "alloc b1 4194304 2 #@ 3 7f0000200000 stock.large",
            "phase step begin #@ 4 0 -",
            "alloc b2 1048576 #@ 5 7f0000600000 stock.large",
            "free b0 #@ 6 7f0000000000 stock.large",
            "alloc o0 99999999999 #@ 7 0 stock.large",
            "free o0 #@ 7 0 stock.large",
            "phase step end #@ 8 0 -",
            "#@ 9 counted reserved=20971520 allocated=5242880 requested=5242880");

    @Test
    void of_a_csv_trace() throws IOException {
        assertThat(changeEach(CSV, ",", HEADER + "\n")).isGreaterThan(500);
    }

    @Test
    void of_trace_text() throws IOException {
        assertThat(changeEach(TEXT, " ", "total 1073741824\n")).isGreaterThan(300);
    }

    @Test
    void of_a_recording() throws IOException {
        DeviceFigures before = figures(recorded(RECORDED));
        int changed = 0;
        for (int line = 6; line < RECORDED.size(); line++) {
            String[] words = RECORDED.get(line).split(" ");
            for (int word = 0; word < words.length; word++) {
                for (String odd : ODD) {
                    String change = RECORDED.get(line) + " [" + word + "] = " + odd;
                    Recording now = recorded(with(RECORDED, line, changed(words, word, odd, " ")));
                    boolean gone = odd.isEmpty() || odd.equals(MISSING);
                    boolean ofFailure =
                            RECORDED.get(line).contains(" o0 ") && word == 1; // Its name says that it failed.
                    boolean ofMemory = ofFailure || !RECORDED.get(line).matches("phase.*|.* o0 .*|.*counted.*");
                    boolean beside = words[word].equals("stock.large") || word > 0 && words[word - 1].equals("#@");
                    if (!ofMemory || beside && !gone) {
                        assertThat(figures(now).allocatedBytes()).as(change).isEqualTo(before.allocatedBytes());
                        assertThat(figures(now).reservedBytes()).as(change).isEqualTo(before.reservedBytes());
                    }
                    if (!ofFailure) {
                        assertThat(figures(now).reservedBytes()).as(change).isLessThanOrEqualTo(1L << 31);
                    }
                    changed++;
                }
            }
        }
        assertThat(changed).isGreaterThan(300);
    }

    @Test
    void what_is_left_out_is_told() throws IOException {
        Recording odd = recorded(with(RECORDED, 10, "alloc b2 odd #@ 5 7f0000600000 stock.large"));
        assertThat(odd.truncated()).isFalse();
        assertThat(odd.notices())
                .filteredOn(notice -> notice.kind() == RecordingNotice.Kind.ODD_ROWS)
                .singleElement()
                .satisfies(notice ->
                        assertThat(notice.detail()).startsWith("1 · 11: ").contains("odd"));
        AllocationTrace csv = open(HEADER + "\n" + String.join("\n", with(CSV, 1, "1,A,7f00,odd,1")) + "\n");
        assertThat(csv.odd().count())
                .as("the request, and the free of what nobody asked for")
                .isEqualTo(2);
        assertThat(csv.odd().first().orElseThrow().line()).isEqualTo(3);
    }

    @Test
    void a_file_of_which_no_more_makes_sense_than_does_not_is_refused_with_its_first_odd_line() {
        assertThatThrownBy(() -> open("alloc a 1\nalloc b x\nalloc c x\n"))
                .isInstanceOfSatisfying(
                        TraceFormatException.class, e -> assertThat(e.line()).isEqualTo(2));
        assertThatThrownBy(() -> open("stats\n" + "what is this\n".repeat(2_000)))
                .isInstanceOfSatisfying(
                        TraceFormatException.class, e -> assertThat(e.line()).isEqualTo(2));
    }

    @Test
    void who_plans_by_a_trace_is_told_of_the_first_odd_row() {
        byte[] odd = (HEADER + "\n" + String.join("\n", with(CSV, 5, "5,F,what,0,1"))).getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> TraceReaders.read(new ByteArrayInputStream(odd)))
                .isInstanceOfSatisfying(
                        TraceFormatException.class, e -> assertThat(e.line()).isEqualTo(7));
    }

    @Test
    @Tag("conformance")
    void of_published_traces() throws IOException {
        Path folder = Path.of(System.getProperty("lacuna.data", "none"), "traces");
        assumeThat(folder).isDirectory();
        int changed = 0;
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file :
                    files.filter(f -> f.toString().endsWith(".csv")).sorted().toList()) {
                try (Stream<String> lines = Files.lines(file)) {
                    changed += changeEach(lines.skip(1).limit(40).toList(), ",", HEADER + "\n");
                }
            }
        }
        assertThat(changed).isGreaterThan(1_000);
    }

    // ---------------------------------------------------------------- changes

    /** Changes words one at a time and reads the trace each time; how often. */
    private static int changeEach(List<String> rows, String between, String head) throws IOException {
        AllocationTrace before = open(head + String.join("\n", rows) + "\n");
        int changed = 0;
        for (int row = 0; row < rows.size(); row++) {
            String[] words = rows.get(row).split(between);
            for (int word = 0; word < words.length; word++) {
                for (String odd : ODD) {
                    String change = rows.get(row) + " [" + word + "] = " + odd;
                    AllocationTrace now =
                            open(head + String.join("\n", with(rows, row, changed(words, word, odd, between))) + "\n");
                    boolean passedOver = between.equals(",") && (word == 0 || word == 4) && !odd.equals(MISSING);
                    if (passedOver) {
                        assertThat(requests(now)).as(change).isEqualTo(requests(before));
                        assertThat(now.size()).as(change).isEqualTo(before.size());
                    } else {
                        // All but the request that the row makes.
                        assertThat(missing(requests(before), requests(now)))
                                .as(change)
                                .isLessThanOrEqualTo(1);
                        assertThat(now.size()).as(change).isBetween(before.size() - 4, before.size() + 2);
                    }
                    changed++;
                }
            }
        }
        return changed;
    }

    private static int missing(List<Long> before, List<Long> now) {
        List<Long> left = new ArrayList<>(before);
        now.forEach(left::remove);
        return left.size();
    }

    private static String changed(String[] words, int word, String odd, String between) {
        List<String> out = new ArrayList<>(List.of(words));
        switch (odd) {
            case MISSING -> out.remove(word);
            case EXTRA -> out.add("extra");
            default -> out.set(word, odd);
        }
        return String.join(between, out);
    }

    private static List<String> with(List<String> rows, int row, String line) {
        List<String> out = new ArrayList<>(rows);
        out.set(row, line);
        return out;
    }

    private static List<Long> requests(AllocationTrace trace) {
        List<Long> out = new ArrayList<>();
        for (int i = 0; i < trace.size(); i++) {
            if (trace.operation(i) == EventKind.ALLOC) {
                out.add(trace.bytes(i));
            }
        }
        return out;
    }

    private static AllocationTrace open(String text) throws IOException {
        return AllocationTrace.of(TraceReaders.open(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))));
    }

    private static Recording recorded(List<String> lines) throws IOException {
        String text = String.join("\n", lines) + "\n";
        return new Recordings(List.of())
                .open(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "r", OpenRequest.ALL);
    }

    private static DeviceFigures figures(Recording recording) {
        return recording.devices().get(0).figures();
    }
}
