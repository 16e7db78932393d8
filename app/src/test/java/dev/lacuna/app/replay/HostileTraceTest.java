package dev.lacuna.app.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lacuna.app.cli.CommandLineFactory;
import dev.lacuna.core.allocator.AllocatorPolicies;
import dev.lacuna.core.allocator.model.AllocatorPolicy;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a file holds and whichever policy is asked, a replay ends with a result or with one clear sentence. */
class HostileTraceTest {
    private static final int READ = 0;

    /** Read, and said to have ended early; the status is that of what was read. */
    private static final int CUT = -1;

    /** What makes no sense is left out, and said. */
    private static final int ODD = -2;

    private static final int WRONG_USAGE = 2;
    private static final int REFUSED = 3;
    private static final String CSV = "ts_ns,op,addr,size,thread\n";
    private static final long LARGEST = Long.MAX_VALUE;
    private static final long LONGER_THAN_ANY_ARRAY = 3L << 30;

    @TempDir
    private static Path folder;

    private record Case(String name, int status, byte[] content, List<String> options) {
        @Override
        public String toString() {
            return name;
        }
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("policiesWithEveryCase")
    @Timeout(30)
    void ends_with_a_result_or_one_sentence(String policy, Case hostile) throws IOException {
        Path file = folder.resolve("hostile");
        Files.write(file, hostile.content());
        List<String> arguments = new ArrayList<>(List.of("replay", file.toString(), "--policy", policy, "--json"));
        arguments.addAll(hostile.options());
        holds(run(arguments), hostile.status(), true);
        if (hostile.options().isEmpty()) {
            holds(run(List.of("replay", file.toString(), "--policy", policy, "--placements")), hostile.status(), false);
        }
    }

    @ParameterizedTest
    @MethodSource("everyPolicy")
    @Timeout(60)
    void a_line_of_gigabytes_is_refused_before_it_is_read(String policy) {
        InputStream before = System.in;
        System.setIn(new SequenceInputStream(
                new java.io.ByteArrayInputStream("alloc ".getBytes(StandardCharsets.US_ASCII)), new Endless()));
        try {
            holds(run(List.of("replay", "-", "--policy", policy, "--json")), REFUSED, true);
        } finally {
            System.setIn(before);
        }
    }

    static Stream<String> everyPolicy() {
        return AllocatorPolicies.all().stream().map(AllocatorPolicy::name);
    }

    /** Each case with three policies, by turns; with all where the tests are nightly. */
    static Stream<Arguments> policiesWithEveryCase() throws IOException {
        List<Case> cases = new ArrayList<>();
        readable(cases);
        cut(cases);
        refused(cases);
        tables(cases);
        packed(cases);
        options(cases);
        List<String> policies = everyPolicy().toList();
        int each = "1".equals(System.getenv("LACUNA_NIGHTLY")) ? policies.size() : 3;
        return IntStream.range(0, cases.size() * each)
                .mapToObj(
                        n -> Arguments.of(policies.get((n / each + n % each) % policies.size()), cases.get(n / each)));
    }

    private static void readable(List<Case> cases) {
        text(cases, READ, "a comment alone", "# nothing happened\n");
        text(cases, READ, "no bytes asked for", "alloc a 0\nfree a\nalloc a 0\nstats\n");
        text(
                cases,
                READ,
                "more than any device",
                "alloc a " + (1L << 62) + "\nfree a\nalloc b " + LARGEST + "\nfree b\nstats\n");
        text(cases, READ, "largest devices and streams", "total " + LARGEST + "\n" + streams(40) + "stats\n");
        text(cases, READ, "a device of one byte", "total 1\nalloc a 1\nfree a\nstats\n");
        text(cases, READ, "a stream of the highest number", "alloc a 512 " + Integer.MAX_VALUE + "\nfree a\n");
        text(cases, READ, "a cap of nearly nothing", "fraction 1e-300\nalloc a 512\nfree a\nfraction 1\nalloc b 512\n");
        text(cases, READ, "others hold all", "other " + LARGEST + "\nalloc a 512\nother 0\nalloc b 512\nempty-cache\n");
        text(
                cases,
                READ,
                "more held than there is",
                "total 4194304\nalloc a 4194304\nother 4194304\nalloc b 1\nfraction 0.1\nstats\n");
        text(
                cases,
                READ,
                "phases that nest and cross",
                "phase step end\nphase step begin\nphase step begin\nphase setup begin\nphase forward begin\nalloc a 512\n"
                        + "phase step end\nphase forward begin\nphase setup end\nphase forward end\nfree a\nphase forward end\n");
        text(
                cases,
                READ,
                "line ends of Windows and a byte order mark",
                "\uFEFFtotal 4194304\r\nalloc a 512\r\nfree a\r\n");
        text(cases, READ, "no line end at the end", "alloc a 512\nfree a");
        text(cases, READ, "a name with a zero byte", "alloc a\0 512\nfree a\0\n");
        text(cases, READ, "a name of a thousand letters", "alloc " + "n".repeat(1000) + " 5\nfree " + "n".repeat(1000));
    }

    /** What was whole before the cut is replayed. */
    private static void cut(List<Case> cases) {
        for (String rest : List.of("a", "alloc", "alloc b", "free", "free b", "fraction 0.", "phase step", "\0")) {
            text(cases, CUT, "cut in '" + rest.replace("\0", "\\0") + "'", "alloc a 1\n" + rest);
            text(cases, REFUSED, "bad line '" + rest.replace("\0", "\\0") + "'", "alloc a 1\n" + rest + "\n");
        }
        text(cases, CUT, "a table cut in a row", CSV + "0,A,1,5,0\n0,F,1");
    }

    private static void refused(List<Case> cases) {
        for (String bad : List.of(
                "",
                "\n \n",
                "\uFEFF",
                "alloc",
                "alloc a",
                "alloc a 1 2 3",
                "alloc a\nfree a",
                "free",
                "free a",
                "fre",
                "alloc a -1",
                "alloc a +1",
                "alloc a 1.5",
                "alloc a 1e6",
                "alloc a 0x10",
                "alloc a \u0663",
                "alloc a NaN",
                "alloc a 9223372036854775808",
                "alloc a 99999999999999999999999",
                "alloc a 1 -1",
                "alloc a 1 2147483648",
                "total 0",
                "total -1",
                "total x",
                "alloc a 1\ntotal 5",
                "total",
                "fraction 0",
                "fraction -0.5",
                "fraction 1.0001",
                "fraction NaN",
                "fraction Infinity",
                "fraction x",
                "fraction",
                "other -1",
                "other x",
                "phase",
                "phase step",
                "phase step begins",
                "phase backward begin",
                "empty-cache now",
                "stats 1",
                "\0\0\0\0",
                "hello world",
                "{\"alloc\": 1}",
                "PK\3\4",
                "\u007fELF")) {
            text(cases, REFUSED, "'" + bad.replace("\n", "\\n").replace("\0", "\\0") + "'", bad);
        }
        cases.add(new Case(
                "two bytes a letter", REFUSED, "alloc a 5\nfree a\n".getBytes(StandardCharsets.UTF_16LE), List.of()));
        byte[] noise = new byte[5000];
        new Random(1).nextBytes(noise);
        cases.add(new Case("noise", REFUSED, noise, List.of()));
        cases.add(new Case("a pickle's first two bytes", REFUSED, new byte[] {(byte) 0x80, 4}, List.of()));
        noise[0] = (byte) 0x80;
        noise[1] = 2;
        cases.add(new Case("noise behind a pickle's first two bytes", REFUSED, noise, List.of()));
    }

    private static void tables(List<Case> cases) {
        text(cases, READ, "a table without rows", CSV);
        text(
                cases,
                READ,
                "a table with the line ends of Windows",
                "\uFEFFts_ns,op,addr,size,thread\r\n0,A,7f,512,0\r\n1,F,7f,0,0\r\n");
        text(
                cases,
                READ,
                "marks in any order",
                CSV + "0,M,0,13,0\n0,M,0,11,0\n0,M,0,10,0\n0,M,0,10,0\n0,A,1,9,0\n0,M,0,12,0\n0,M,0,11,0\n");
        text(cases, READ, "the highest address", CSV + "0,A,ffffffffffffffff,512,0\n1,F,ffffffffffffffff,0,0\n");
        for (String row : List.of(
                "0,A,1,5",
                "0,A,1",
                "0,X,1,5,0",
                "0,A,zz,5,0",
                "0,A,,5,0",
                "0,A,1,-5,0",
                "0,A,1,,0",
                "0,A,1,9223372036854775808,0",
                "0,A,10000000000000000,5,0",
                "0,F,1,0,0",
                "0,M,0,17,0",
                "0,M,0,-1,0",
                "0,A,1,5,0\n0,F,1",
                "\0\0\0",
                "0;A;1;5;0")) {
            text(cases, REFUSED, "the row '" + row.replace("\n", "\\n").replace("\0", "\\0") + "'", CSV + row + "\n");
        }
        for (String row :
                List.of("0,A,1,5,0,0", "x,A,1,5,0", "0,A,1,5,0\n0,A,1,5,0", "0,A,1,5,0\n0,F,1,0,0\n0,F,1,0,0")) {
            text(cases, ODD, "the row '" + row.replace("\n", "\\n") + "'", CSV + row + "\n");
        }
        text(cases, ODD, "a block twice", "alloc a 1\nalloc a 1");
        text(cases, REFUSED, "another table's header", "time,op,addr,size\n0,A,1,5\n");
    }

    private static void packed(List<Case> cases) throws IOException {
        byte[] whole = gzip("alloc a 512\nfree a\n".repeat(2000).getBytes(StandardCharsets.US_ASCII));
        cases.add(new Case("packed", READ, whole, List.of()));
        cases.add(new Case("packed and cut", CUT, Arrays.copyOf(whole, whole.length - 9), List.of()));
        cases.add(new Case("packed, the head alone", REFUSED, Arrays.copyOf(whole, 5), List.of()));
        byte[] damaged = whole.clone();
        damaged[damaged.length / 2] ^= 0x55;
        cases.add(new Case("packed and damaged", ODD, damaged, List.of()));
        cases.add(new Case("packed zeros", REFUSED, gzip(new byte[10_000_000]), List.of()));
    }

    private static void options(List<Case> cases) {
        byte[] trace = "alloc a 512\nalloc b 3000000\nfree a\nfree b\n".getBytes(StandardCharsets.US_ASCII);
        for (String option : List.of(
                "--capacity=0",
                "--capacity=-1",
                "--capacity=9223372036854775808",
                "--capacity=99999999TiB",
                "--capacity=x",
                "--scale=0",
                "--scale=-1",
                "--scale=1.5",
                "--scale=9223372036854775808",
                "--fraction=0",
                "--fraction=-1",
                "--fraction=1.1",
                "--fraction=NaN",
                "--fraction=x")) {
            cases.add(new Case(option, WRONG_USAGE, trace, List.of(option)));
        }
        for (String option : List.of(
                "--capacity=1",
                "--capacity=" + LARGEST,
                "--scale=" + LARGEST,
                "--scale=4611686018427387904",
                "--fraction=1e-300",
                "--fraction=0.000001",
                "--min-capacity")) {
            cases.add(new Case(option, READ, trace, List.of(option)));
        }
    }

    private static String streams(int count) {
        StringBuilder text = new StringBuilder();
        IntStream.range(0, count)
                .forEach(i -> text.append("alloc s" + i + " 1048577 " + i + "\nalloc t" + i + " 512 " + i + "\n"));
        return text.toString();
    }

    private static void text(List<Case> cases, int status, String name, String content) {
        cases.add(new Case(name, status, content.getBytes(StandardCharsets.UTF_8), List.of()));
    }

    private static byte[] gzip(byte[] content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(content);
        }
        return bytes.toByteArray();
    }

    private record Ended(int status, String out, String err) {}

    private static void holds(Ended ended, int status, boolean json) {
        boolean cut = status == CUT;
        assertThat(ended.status()).as(ended.err()).isEqualTo(cut || status == ODD ? READ : status);
        if (status == ODD) {
            assertThat(ended.err().lines()).allMatch(line -> line.startsWith("lacuna: "));
            assertThat(ended.err())
                    .contains("makes no sense")
                    .hasLineCount(ended.err().contains("truncated") ? 2 : 1);
        } else if (cut) {
            assertThat(ended.err()).startsWith("lacuna: ").contains("truncated").hasLineCount(1);
        } else if (status == READ) {
            assertThat(ended.err()).isEmpty();
        } else {
            String[] lines = ended.err().strip().split("\n", -1);
            assertThat(lines).hasSize(status == REFUSED ? 1 : 2);
            assertThat(lines[0]).startsWith("lacuna: ").hasSizeBetween(20, 600).doesNotContain("Exception", "null");
        }
        if (json && status != WRONG_USAGE) {
            JsonNode document = parsed(ended.out());
            assertThat(document).hasSize(1);
            assertThat(document.get(0).has("error")).isEqualTo(status == REFUSED);
            if (status != REFUSED) {
                JsonNode result = document.get(0);
                assertThat(result.get("peak_reserved_bytes").asLong())
                        .isGreaterThanOrEqualTo(
                                result.get("peak_allocated_bytes").asLong());
                assertThat(result.path("truncated").asBoolean())
                        .isEqualTo(cut || ended.err().contains("truncated"));
                assertThat(result.get("peak_requested_bytes").asLong()).isNotNegative();
                assertThat(result.get("fragmentation").asDouble()).isBetween(0.0, 1.0);
            }
        }
    }

    private static JsonNode parsed(String text) {
        try {
            return new ObjectMapper().readTree(text);
        } catch (IOException e) {
            throw new AssertionError("no JSON: " + text, e);
        }
    }

    private static Ended run(List<String> arguments) {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        ByteArrayOutputStream complained = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(complained, true, StandardCharsets.UTF_8));
        try {
            int status = CommandLineFactory.create().execute(arguments.toArray(String[]::new));
            return new Ended(
                    status, printed.toString(StandardCharsets.UTF_8), complained.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }

    /** Letters, more of them than a string can hold. */
    private static final class Endless extends InputStream {
        private long left = LONGER_THAN_ANY_ARRAY;

        @Override
        public int read() {
            return left-- > 0 ? 'a' : -1;
        }

        @Override
        public int read(byte[] into, int offset, int length) {
            int count = (int) Math.min(length, Math.max(0, left));
            Arrays.fill(into, offset, offset + count, (byte) 'a');
            left -= count;
            return count > 0 ? count : -1;
        }
    }
}
