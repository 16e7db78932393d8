package dev.lacuna.core.planning.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lacuna.core.ConformanceSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The published closed form for chains. */
@ConformanceSet("recompute")
final class RevolveDataTest {
    /** Stages of the longest chain of the short test; schedules of the longest have millions of steps. */
    private static final int SHORT = 1000;

    @Test
    void short_schedules_are_as_short_as_the_published_optimum() throws IOException {
        compare(SHORT);
    }

    @Test
    @Tag("nightly")
    void schedules_are_as_short_as_the_published_optimum() throws IOException {
        compare(Integer.MAX_VALUE);
    }

    /** The closed form is compared in every row, the schedule in those of up to this many stages. */
    private static void compare(int longest) throws IOException {
        Path table = Path.of(System.getProperty("lacuna.data"), "recompute", "revolve_optimum.csv");
        assumeTrue(Files.exists(table), () -> table + " is not in this set");
        List<String> rows = Files.readAllLines(table);
        assertThat(rows).hasSizeGreaterThan(1);
        for (String row : rows.subList(1, rows.size())) {
            String[] cells = row.split(",", -1);
            int length = Integer.parseInt(cells[0]);
            int kept = Integer.parseInt(cells[1]);
            int extra = Integer.parseInt(cells[3]);
            assertThat(Revolve.fewestExtraForwards(length, kept)).as(row).isEqualTo(extra);
            if (length > longest) {
                continue;
            }
            assertThat(ChainPlan.of(Chains.alike(length), Revolve.schedule(length, kept))
                            .recomputations())
                    .as(row)
                    .isEqualTo(extra);
        }
    }
}
