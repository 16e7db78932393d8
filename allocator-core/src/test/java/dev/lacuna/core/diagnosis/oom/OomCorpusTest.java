package dev.lacuna.core.diagnosis.oom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.ConformanceIndex;
import dev.lacuna.core.ConformanceSet;
import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.base.SizeUnit;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Real messages whose fields were read by eye: every field of every message, none missed, none invented. */
@ConformanceSet("oom")
class OomCorpusTest {
    private static final Pattern SIZE = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*([A-Za-z]*)");

    @Test
    void every_field_of_every_real_message_is_read() throws IOException {
        Map<String, int[]> scores = new TreeMap<>();
        List<String> faults = new ArrayList<>();
        for (Map<String, String> row : ConformanceIndex.read(folder().resolve("INDEX.tsv"))) {
            Path file = folder().resolve(row.get("file"));
            List<String> wrong = compare(row, read(file));
            int[] score = scores.computeIfAbsent(row.get("framework"), f -> new int[2]);
            score[wrong.isEmpty() ? 0 : 1]++;
            wrong.forEach(w -> faults.add(row.get("file") + " " + row.get("framework") + ": " + w));
        }
        scores.forEach(
                (framework, s) -> System.out.printf("%-26s %d of %d messages right%n", framework, s[0], s[0] + s[1]));
        assertThat(scores).isNotEmpty();
        assertThat(faults).isEmpty();
    }

    @Test
    void derived_forms_read_like_their_parents() throws IOException {
        Map<String, Map<String, String>> parents = new HashMap<>();
        ConformanceIndex.read(folder().resolve("INDEX.tsv")).forEach(row -> parents.put(row.get("file"), row));
        List<String> faults = new ArrayList<>();
        for (Map<String, String> row : ConformanceIndex.read(folder().resolve("derived/INDEX.tsv"))) {
            Map<String, String> parent = parents.get(row.get("parent(s)"));
            List<OomReport> found = read(folder().resolve("derived").resolve(row.get("file")));
            if (parent == null) {
                assertThat(found).as(row.get("file")).hasSize(1);
            } else {
                compare(parent, found).forEach(w -> faults.add(row.get("file") + ": " + w));
            }
        }
        assertThat(faults).isEmpty();
    }

    private static List<String> compare(Map<String, String> row, List<OomReport> found) {
        if (found.size() != 1) {
            return List.of("reports " + found.size());
        }
        OomReport report = found.get(0);
        List<String> wrong = new ArrayList<>();
        String framework = row.get("framework");
        check(wrong, "framework", framework(framework), report.framework().id());
        check(wrong, "device", device(row), report.device().orElse(""));
        OptionalLong allocated = size(row, "allocated");
        OptionalLong privatePools = size(row, "private_pools");
        check(wrong, "tried", size(row, "tried"), report.triedBytes());
        check(wrong, "total", size(row, "total"), report.totalBytes());
        check(wrong, "allocated", minus(allocated, privatePools), report.allocatedBytes());
        check(wrong, "active", size(row, "active"), report.activeBytes());
        check(wrong, "free", size(row, "free"), report.freeBytes());
        check(wrong, "allowed", allowed(row), report.allowedBytes());
        check(wrong, "process", ownProcess(row), report.processBytes());
        check(wrong, "reserved", reserved(row, allocated), report.reservedBytes());
        check(wrong, "over 1 GiB", row.get("verdict_gt_1GiB"), verdict(report));
        return wrong;
    }

    private static void check(List<String> wrong, String field, Object expected, Object actual) {
        if (!expected.equals(actual)) {
            wrong.add(field + " expected " + expected + " but was " + actual);
        }
    }

    private static String framework(String indexed) {
        return indexed.equals("sophgo") || indexed.equals("rust-host-alloc") ? "other" : indexed;
    }

    /** The index writes "NPU ?" where the message names none, and a rank where vLLM names only that. */
    private static String device(Map<String, String> row) {
        String device = row.get("device");
        return device.contains("?") || device.startsWith("rank") ? "" : device;
    }

    /** Metal's "max allowed", which the index has as the total, is the cap that was hit. */
    private static OptionalLong allowed(Map<String, String> row) {
        return size(row, row.get("framework").equals("pytorch-mps") ? "total" : "allowed");
    }

    private static OptionalLong ownProcess(Map<String, String> row) {
        for (String use : row.get("process_in_use").split(";")) {
            if (use.startsWith("self:")) {
                return bytes(use.substring("self:".length()));
            }
        }
        return OptionalLong.empty();
    }

    private static OptionalLong reserved(Map<String, String> row, OptionalLong allocated) {
        OptionalLong printed = size(row, "reserved");
        return switch (row.get("reserved_kind")) {
            case "total" -> printed;
            case "unallocated", "cached_excl" -> OptionalLong.of(printed.orElseThrow() + allocated.orElseThrow());
            default -> OptionalLong.empty();
        };
    }

    private static String verdict(OomReport report) {
        OptionalLong gap = report.gapBytes();
        return gap.isEmpty() ? "unknown" : gap.getAsLong() > SizeUnit.GIB.bytes() ? "yes" : "no";
    }

    private static OptionalLong size(Map<String, String> row, String column) {
        return bytes(row.get(column));
    }

    private static OptionalLong bytes(String printed) {
        if (printed.startsWith("0x")) {
            return OptionalLong.of(Long.parseLong(printed.substring(2), 16));
        }
        Matcher m = SIZE.matcher(printed);
        if (!m.matches()) {
            return OptionalLong.empty();
        }
        String unit = m.group(2).isEmpty() ? "B" : m.group(2);
        return ByteSize.printed(m.group(1), SizeUnit.ofWord(unit).orElseThrow());
    }

    private static OptionalLong minus(OptionalLong a, OptionalLong b) {
        return a.isPresent() && b.isPresent() ? OptionalLong.of(a.getAsLong() - b.getAsLong()) : a;
    }

    private static List<OomReport> read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return OomLogReader.read(in).reports();
        }
    }

    private static Path folder() {
        String data = System.getProperty("lacuna.data", "");
        assertThat(data)
                .as("system property lacuna.data: the folder of conformance data")
                .isNotEmpty();
        return Path.of(data, "oom");
    }
}
