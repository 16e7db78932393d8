package dev.lacuna.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the window's charts save is saved by commands too. */
class ChartFilesTest {
    private static final String TRACE =
            "total 33554432\nalloc a 1000\nalloc b 3000000\nalloc c 15000000\nalloc d 18000000\nfree b\n";
    private static final String CHAIN = """
            {"input_bytes": 10, "layers": [
              {"name": "a", "forward_ms": 1, "backward_ms": 2, "output_bytes": 100, "saved_bytes": 400},
              {"name": "b", "forward_ms": 1, "backward_ms": 2, "output_bytes": 100, "saved_bytes": 400},
              {"name": "c", "forward_ms": 1, "backward_ms": 2, "output_bytes": 100, "saved_bytes": 400}]}
            """;

    @TempDir
    private Path folder;

    private int run(String... words) {
        PrintStream before = System.out;
        System.setOut(new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8));
        try {
            return CommandLineFactory.create().execute(words);
        } finally {
            System.setOut(before);
        }
    }

    private Path file(String name, String content) throws Exception {
        return Files.writeString(folder.resolve(name), content);
    }

    private static boolean shows(BufferedImage image, int colour) {
        return IntStream.range(0, image.getWidth() * image.getHeight())
                .anyMatch(i -> image.getRGB(i % image.getWidth(), i / image.getWidth()) == (0xFF000000 | colour));
    }

    @Test
    void a_replay_draws_a_line_for_each_policy_and_the_failure() throws Exception {
        Path csv = folder.resolve("curves.csv");
        Path png = folder.resolve("curves.png");
        String trace = file("run.trace", TRACE).toString();
        assertThat(run("replay", trace, "--policy", "caching,segregated", "--csv", csv.toString(), "--png", png + ""))
                .isZero();
        List<String> lines = Files.readAllLines(csv);
        assertThat(lines).hasSize(6).first().isEqualTo("row,allocated_bytes,caching_bytes,segregated_bytes");
        assertThat(lines.get(2)).startsWith("1,3001344,");
        BufferedImage image = ImageIO.read(png.toFile());
        assertThat(List.of(0x0072B2, 0xD55E00, 0xF2C078, 0xC62828)).allMatch(colour -> shows(image, colour));
        assertThat(run("replay", trace, "--policy", "caching", "--placements", "--png", png + ""))
                .isEqualTo(2);
    }

    @Test
    void a_snapshot_draws_its_sizes_by_lifetime_and_its_flame_graph() throws Exception {
        String trace = file("run.trace", TRACE).toString();
        Path sizes = folder.resolve("sizes.png");
        assertThat(run("snapshot", trace, "--sizes", "--png", sizes + "")).isZero();
        // The legend names every lifetime.
        assertThat(List.of(0x0072B2, 0xD55E00, 0x009E73)).allMatch(colour -> shows(read(sizes), colour));
        Path flame = folder.resolve("flame.png");
        assertThat(run("snapshot", trace, "--stacks", "--png", flame + "")).isZero();
        assertThat(shows(read(flame), 0xC9CED6)).isTrue();
        assertThat(run("snapshot", trace, "--search", ">1MiB", "--png", flame + ""))
                .isEqualTo(2);
    }

    @Test
    void a_snapshot_draws_and_lists_what_lies_where() throws Exception {
        String trace = file("run.trace", TRACE).toString();
        Path csv = folder.resolve("map.csv");
        Path png = folder.resolve("map.png");
        assertThat(run("snapshot", trace, "--map", "--at", "5", "--csv", csv + "", "--png", png + ""))
                .isZero();
        // A block and a hole, in the colours of the light style.
        assertThat(List.of(0x57606A, 0x8A6FD0)).allMatch(colour -> shows(read(png), colour));
        List<String> rows = Files.readAllLines(csv);
        assertThat(rows).first().isEqualTo("segment,segment_bytes,address,piece_bytes,kind");
        assertThat(rows).filteredOn(row -> row.endsWith(",block")).hasSize(3);
        assertThat(rows).filteredOn(row -> row.endsWith(",hole")).isNotEmpty();
        Path sizes = folder.resolve("by-size.png");
        assertThat(run("snapshot", trace, "--map", "--colour", "size", "--png", sizes + ""))
                .isZero();
        assertThat(shows(read(sizes), 0x4AC16D)).isTrue();
        assertThat(run("snapshot", trace, "--curve", "--colour", "size", "--png", sizes + ""))
                .isEqualTo(2);
    }

    private static BufferedImage read(Path picture) {
        try {
            return ImageIO.read(picture.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void a_plan_draws_its_methods_over_memory() throws Exception {
        Path csv = folder.resolve("plans.csv");
        Path png = folder.resolve("plans.png");
        String chain = file("chain.json", CHAIN).toString();
        assertThat(run("plan", chain, "--pareto", "4", "--json", "--csv", csv.toString(), "--png", png + ""))
                .isZero();
        assertThat(Files.readAllLines(csv)).first().isEqualTo("method,peak_bytes,overhead,least_overhead,proven");
        assertThat(Files.readString(csv)).contains("\nstore-all,").contains(",1.0000,1.0000,true");
        assertThat(shows(ImageIO.read(png.toFile()), 0x0072B2)).isTrue();
    }

    @Test
    void an_estimate_draws_a_bar_for_each_stage_and_each_rule() throws Exception {
        Path csv = folder.resolve("bars.csv");
        Path png = folder.resolve("bars.png");
        assertThat(run("estimate", "llama2-7b", "--csv", csv + "", "--png", png + "", "--", "--micro-batch-size", "1"))
                .isZero();
        assertThat(Files.readAllLines(csv))
                .startsWith("stage,kind,part_bytes")
                .anyMatch(row -> row.matches("0,weights,\\d+"));
        // Weights and gradients.
        assertThat(List.of(0x0072B2, 0xD55E00)).allMatch(colour -> shows(read(png), colour));
        Path trace = file("run.trace", TRACE);
        assertThat(run("estimate", "--trace", trace + "", "--csv", csv + "", "--json"))
                .isZero();
        assertThat(Files.readAllLines(csv)).hasSize(5);
    }

    @Test
    void one_name_for_two_files_is_wrong_usage_and_writes_neither() throws Exception {
        String trace = file("run.trace", TRACE).toString();
        Path one = folder.resolve("one.png");
        Path again = folder.resolve(".").resolve("one.png");
        assertThat(run("replay", trace, "--csv", again + "", "--png", one + "")).isEqualTo(2);
        assertThat(run("snapshot", trace, "--curve", "--png", one + "", "--csv", one + ""))
                .isEqualTo(2);
        assertThat(one).doesNotExist();
    }
}
