package dev.lacuna.core.planning.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.planning.graph.model.GraphProfile;
import dev.lacuna.core.planning.graph.reader.GraphProfileReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The published profiles, against what was published about them. */
@Tag("conformance")
@EnabledIfSystemProperty(named = "lacuna.data", matches = ".+")
class PublishedProfilesTest {
    static final Path DATA = Path.of(System.getProperty("lacuna.data", ".")).resolve("recompute");

    @Test
    void reproduces_peak_and_base_of_every_row_of_the_certified_optima() throws IOException {
        List<String> rows = Files.readAllLines(DATA.resolve("milp.csv"));
        assertThat(rows).hasSizeGreaterThan(1);
        for (String row : rows.subList(1, rows.size())) {
            String[] cells = row.split(",", -1);
            GraphProfile graph = GraphProfileReader.read(DATA.resolve(cells[0]));
            assertThat(graph.size()).isEqualTo(Integer.parseInt(cells[1]));
            assertThat(graph.peakWithoutRecomputation()).isEqualTo(Long.parseLong(cells[3]));
            assertThat(graph.baseCost()).isEqualTo(Long.parseLong(cells[4]));
        }
    }

    @Test
    void reproduces_base_keep_all_peak_and_working_set_of_the_profiled_graphs() throws IOException {
        assertProfiled("graph_resnet50_184.json", 405, 101_898, "21.29", "3.05");
        assertProfiled("graph_un_11.json", 154, 188_252, "17.49", "3.48");
    }

    private static void assertProfiled(String file, int nodes, long base, String peakGib, String leastGib)
            throws IOException {
        GraphProfile graph = GraphProfileReader.read(DATA.resolve(file));
        assertThat(graph.size()).isEqualTo(nodes);
        assertThat(graph.baseCost()).isEqualTo(base);
        assertThat(gib(graph.peakWithoutRecomputation())).isEqualTo(peakGib);
        assertThat(gib(graph.largestWorkingSet())).isEqualTo(leastGib);
    }

    private static String gib(long bytes) {
        return String.format(java.util.Locale.ROOT, "%.2f", bytes / (double) (1L << 30));
    }
}
