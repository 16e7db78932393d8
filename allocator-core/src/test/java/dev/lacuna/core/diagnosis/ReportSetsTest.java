package dev.lacuna.core.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.lacuna.core.ConformanceIndex;
import dev.lacuna.core.ConformanceSets;
import dev.lacuna.core.diagnosis.oom.OomLogReader;
import dev.lacuna.core.diagnosis.oom.model.OomLog;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every set of logs whose index tells the expected fields and cause, whatever the set is called: fields, cause, reports
 * counted once, and no report where there is none.
 */
@Tag("conformance")
class ReportSetsTest {
    /** Of logs that nobody had seen while grammars were written, so many are to be right. */
    private static final double LEAST_SHARE = 0.97;

    @Test
    void reports_are_found_read_and_judged_as_the_index_says() throws IOException {
        List<Path> sets = ConformanceSets.withColumns("file", "framework", "expected_fields", "expected_cause");
        assumeThat(sets).as("sets of logs").isNotEmpty();
        for (Path set : sets) {
            List<String> faults = new ArrayList<>();
            List<String> invented = new ArrayList<>();
            int files = 0;
            for (Map<String, String> row : ConformanceIndex.read(set.resolve("INDEX.tsv"))) {
                files++;
                ExpectedReports expected = new ExpectedReports(row);
                List<String> wrong = expected.faults(new Diagnoser().diagnose(read(set.resolve(row.get("file")))));
                if (!wrong.isEmpty()) {
                    (expected.isNone() ? invented : faults).add(row.get("file") + " " + wrong);
                }
            }
            System.out.printf(
                    "%s: %d of %d files right%n", set.getFileName(), files - faults.size() - invented.size(), files);
            faults.forEach(System.out::println);
            assertThat(invented).as("reports of what is none in " + set).isEmpty();
            assertThat(1.0 - (double) faults.size() / files)
                    .as("share of files right in " + set + ": " + faults)
                    .isGreaterThanOrEqualTo(LEAST_SHARE);
        }
    }

    private static OomLog read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return OomLogReader.read(in);
        }
    }
}
