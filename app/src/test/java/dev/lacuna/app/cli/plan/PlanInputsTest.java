package dev.lacuna.app.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lacuna.app.cli.CommandLineFactory;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What {@code lacuna plan} takes before anything has run. */
class PlanInputsTest {
    private static final String SCRIPT = """
            LAYERS=8
            torchrun --nproc-per-node 2 pretrain_gpt.py --num-layers $LAYERS --hidden-size 2048 --num-attention-heads 16 \\
                --seq-length 2048 --micro-batch-size 8 --padded-vocab-size 32000 --bf16 \\
                --tensor-model-parallel-size 2 --adaptive-memory-optimization
            """;

    private static String run(int status, String... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream before = System.out;
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        try {
            assertThat(CommandLineFactory.create().execute(words)).isEqualTo(status);
        } finally {
            System.setOut(before);
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    private static JsonNode json(String... words) throws Exception {
        return new ObjectMapper().readTree(run(0, words));
    }

    private static List<String> methods(JsonNode plan) {
        List<String> planned = new ArrayList<>();
        for (JsonNode point : plan.path("points")) {
            if (point.has("overhead")) {
                planned.add(point.path("method").asText());
            }
        }
        return planned;
    }

    @Test
    void methods_that_swap_answer_for_a_script_and_say_at_what_rate(@TempDir Path folder) throws Exception {
        Path script = Files.writeString(folder.resolve("pretrain.sh"), SCRIPT);
        JsonNode usual = json("plan", script.toString(), "--json", "--pareto", "2", "--effort", "quick");
        assertThat(methods(usual)).contains("lacuna", "capuchin", "mindspeed", "vdnn", "layerwise");
        assertThat(usual.path("notes").toString()).contains("24.0 GB/s");
        assertThat(usual.path("notes").toString())
                .contains("MindSpeed decides while it trains")
                .doesNotContain("lacuna plan");
        assertThat(run(0, "estimate", script.toString())).contains("lacuna plan' predicts");
        JsonNode none = json("plan", script.toString(), "--json", "--pareto", "2", "--link", "none");
        assertThat(methods(none)).contains("layerwise").doesNotContain("lacuna", "vdnn");
        JsonNode card = json("plan", script.toString(), "--json", "--pareto", "1", "--card", "v100", "--flops", "50T");
        assertThat(card.path("notes").toString()).contains("12.6 GB/s").contains("50.0 TFLOP/s");
        run(2, "plan", script.toString(), "--link", "24");
        run(2, "plan", script.toString(), "--card", "voodoo");
    }

    @Test
    void a_card_gives_a_range_of_gains_over_recomputing_everything(@TempDir Path folder) throws Exception {
        Path script = Files.writeString(folder.resolve("pretrain.sh"), SCRIPT);
        JsonNode all = json("plan", script.toString(), "--json", "--method", "layerwise", "--pareto", "4");
        String budget = all.path("points").get(1).path("budget_bytes").asText();
        JsonNode gains = json(
                        "plan", script.toString(), "--json", "--method", "full", "--budget", budget, "--card", "a100")
                .path("gains_over_full")
                .get(0);
        assertThat(gains.path("least").asDouble())
                .isPositive()
                .isLessThan(gains.path("most").asDouble());
        assertThat(gains.path("most").asDouble()).isLessThan(1.0 / 3 + 1e-9);
        assertThat(json("plan", script.toString(), "--json", "--method", "full", "--budget", budget)
                        .has("gains_over_full"))
                .isFalse();
    }

    @Test
    void a_faster_link_never_makes_the_fastest_mix_slower(@TempDir Path folder) throws Exception {
        Path script = Files.writeString(folder.resolve("pretrain.sh"), SCRIPT);
        double before = Double.MAX_VALUE;
        for (String link : List.of("1GB/s", "12GB/s", "63GB/s")) {
            JsonNode plan =
                    json("plan", script.toString(), "--json", "--method", "lacuna", "--pareto", "4", "--link", link);
            double sum = StreamSupport.stream(plan.path("points").spliterator(), false)
                    .mapToDouble(point -> point.path("overhead").asDouble(2))
                    .sum();
            assertThat(sum).isLessThanOrEqualTo(before + 1e-9);
            before = sum;
        }
    }

    @Test
    void a_written_script_does_not_decide_twice(@TempDir Path folder) throws Exception {
        Path script = Files.writeString(folder.resolve("pretrain.sh"), SCRIPT);
        JsonNode all = json("plan", script.toString(), "--json", "--method", "layerwise", "--pareto", "2");
        String budget = all.path("points").get(0).path("budget_bytes").asText();
        String written =
                run(0, "plan", script.toString(), "--method", "layerwise", "--budget", budget, "--output", "megatron");
        assertThat(written).contains("--recompute-granularity full").doesNotContain("--adaptive-memory-optimization");
        Path other = Files.writeString(folder.resolve("other.sh"), SCRIPT.replace("LAYERS=8", "LAYERS=6"));
        run(
                3,
                "plan",
                script.toString(),
                "--method",
                "layerwise",
                "--budget",
                budget,
                "--output",
                "megatron",
                "--config",
                other.toString());
    }

    @Test
    void kernels_of_a_step_are_an_input(@TempDir Path folder) throws Exception {
        Path kernels = Files.writeString(
                folder.resolve("kernels.json"),
                "{\"model\":\"M\",\"batch\":1,\"kernel_table\":[[0,\"Forward\",1000000,[0],[1]],"
                        + "[1,\"Middle\",900000000,[],[2]],[2,\"Backward\",1000000,[0,1],[]]],"
                        + "\"tensor_table\":{\"0\":[100000000,1],\"1\":[100000000,0],\"2\":[100000000,0]}}");
        JsonNode plan = json("plan", kernels.toString(), "--json", "--pareto", "3");
        assertThat(plan.path("kind").asText()).isEqualTo("kernels");
        assertThat(methods(plan))
                .contains("lacuna", "capuchin", "vdnn", "size", "lru")
                .doesNotContain("layerwise");
        assertThat(run(0, "plan", kernels.toString(), "--pareto", "1", "--link", "63GB/s"))
                .contains("63.0 GB/s");
    }

    @Test
    void a_table_of_lifetimes_gets_places_under_a_proven_height(@TempDir Path folder) throws Exception {
        Path table =
                Files.writeString(folder.resolve("blocks.csv"), "id,lower,upper,size\nb,0,10,4\na,0,5,8\nc,5,10,8\n");
        JsonNode plan = json("plan", table.toString(), "--json", "--budget", "12");
        assertThat(plan.path("kind").asText()).isEqualTo("lifetimes");
        assertThat(plan.path("height_bytes").asLong()).isEqualTo(12);
        assertThat(plan.path("proven").asBoolean()).isTrue();
        assertThat(plan.path("fits").asBoolean()).isTrue();
        assertThat(plan.path("offsets_bytes")).hasSize(3);
        Path placed = folder.resolve("placed.csv");
        assertThat(run(0, "plan", table.toString(), "-o", placed.toString())).contains("3 blocks");
        assertThat(Files.readAllLines(placed)).hasSize(4).first().isEqualTo("id,lower,upper,size,offset");
        run(2, "plan", table.toString(), "--output", "megatron", "--budget", "12");
    }

    @Test
    void what_cannot_be_written_is_named_and_not_what_was_read(@TempDir Path folder) throws Exception {
        Path table = Files.writeString(folder.resolve("blocks.csv"), "id,lower,upper,size\na,0,5,8\n");
        String missing = folder.resolve("none").resolve("placed.csv").toString();
        StringWriter told = new StringWriter();
        CommandLine line = CommandLineFactory.create().setErr(new PrintWriter(told, true));
        assertThat(line.execute("plan", table.toString(), "-o", missing)).isEqualTo(3);
        assertThat(told.toString()).contains(missing + " could not be written").doesNotContain("blocks.csv");
    }
}
