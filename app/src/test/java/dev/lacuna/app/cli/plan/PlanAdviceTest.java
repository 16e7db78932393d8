package dev.lacuna.app.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.app.cli.CommandLineFactory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** What stands below the table of {@code lacuna plan}, and how its help is laid out. */
class PlanAdviceTest {
    private static final Path SEEDS = Path.of("src/test/resources/dev/lacuna/app/fuzz/seeds");

    private static final String SCRIPT = """
            torchrun --nproc-per-node 2 pretrain_gpt.py --num-layers 8 --hidden-size 2048 --num-attention-heads 16 \\
                --seq-length 2048 --micro-batch-size 8 --padded-vocab-size 32000 --bf16 --tensor-model-parallel-size 2
            """;

    private static String plan(Path input, String... more) {
        List<String> words = new ArrayList<>(List.of("plan", input.toString(), "--effort", "quick"));
        words.addAll(List.of(more));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream before = System.out;
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        try {
            assertThat(CommandLineFactory.create().execute(words.toArray(String[]::new)))
                    .isZero();
        } finally {
            System.setOut(before);
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void one_budget_gets_a_favourite_with_its_reason_and_its_next_command(@TempDir Path folder) throws IOException {
        Path script = Files.writeString(folder.resolve("pretrain.sh"), SCRIPT);
        assertThat(plan(script, "--budget", "8GiB", "--method", "layerwise,lacuna"))
                .contains("Within 8.00 GiB take lacuna: ")
                .contains("and proven: no plan of its kind is faster.")
                .contains("To use it: the same command with --output megatron -o FILE")
                .contains("K keep, S swap to the host, R recompute.");
        assertThat(plan(script, "--budget", "8GiB", "--method", "full"))
                .as("nothing is explained that is not there, and nothing called proven that is not")
                .contains("take full", "LAYERS, a letter a layer: R recompute.", "is not proven")
                .doesNotContain("proven:", "swap to the host", "Plans without letters");
        assertThat(plan(script, "--budget", "80GiB", "--method", "layerwise"))
                .contains("Within 80.00 GiB everything fits");
        assertThat(plan(script, "--budget", "1GiB", "--method", "layerwise"))
                .contains("No plan fits within 1.00 GiB.")
                .doesNotContain("To use it");
    }

    @Test
    void several_budgets_get_a_line_each(@TempDir Path folder) throws IOException {
        Path script = Files.writeString(folder.resolve("pretrain.sh"), SCRIPT);
        String said = plan(script, "--pareto", "3", "--method", "layerwise,lacuna,size,dtr-msps,retention");
        assertThat(said.lines().filter(line -> line.matches("  [\\d.]+ GiB: .*")))
                .hasSize(3);
        assertThat(said)
                .contains("times a step without recomputation, proven", "one --budget and --output megatron")
                .as("methods of one reason share a line")
                .containsPattern("(?m)^(retention, dtr-msps|dtr-msps, retention): ");
    }

    @Test
    void the_way_to_use_a_plan_is_that_of_the_input() {
        assertThat(plan(SEEDS.resolve("mindformers-whole/llama.yaml"), "--pareto", "1", "--method", "layerwise"))
                .contains("--output mindformers -o FILE");
        assertThat(plan(SEEDS.resolve("model/config.json"), "--pareto", "1", "--method", "layerwise"))
                .contains("--output torch", "--output megatron");
        assertThat(plan(SEEDS.resolve("trace-with-steps/steps.csv"), "--pareto", "1", "--method", "layerwise"))
                .contains("--output torch")
                .doesNotContain("--output megatron");
        assertThat(plan(SEEDS.resolve("kernels/two.json"), "--pareto", "1")).contains("No --output has words");
    }

    @Test
    void what_decides_as_it_runs_is_named_last_and_said_to() {
        Path trace = SEEDS.resolve("trace-with-steps/steps.csv");
        assertThat(plan(trace, "--budget", "14MiB", "--method", "dtr,chen-greedy"))
                .contains("take chen-greedy");
        assertThat(plan(trace, "--budget", "14MiB", "--method", "dtr"))
                .contains("take dtr", "nothing to set ahead", "No --output has words");
    }

    @Test
    void every_option_stands_under_one_heading_of_the_help() {
        CommandLine plan = CommandLineFactory.create().getSubcommands().get("plan");
        for (OptionSpec option : plan.getCommandSpec().options()) {
            assertThat(MethodHelp.SECTIONS)
                    .as(option.longestName())
                    .filteredOn(section -> List.of(option.names()).stream().anyMatch(section.names()::contains))
                    .hasSize(1);
        }
        String help = plan.getUsageMessage(CommandLine.Help.Ansi.OFF);
        assertThat(help)
                .contains("Usage: lacuna plan [OPTIONS] INPUT [-- ARGUMENTS]\n", "\nTo write the plan down:\n")
                .doesNotContain("…][,");
        for (OptionSpec option : plan.getCommandSpec().options()) {
            assertThat(help.split("(?m)^ {2,6}(-\\w, )?" + option.longestName() + "\\b", -1))
                    .as(option.longestName())
                    .hasSize(2);
        }
    }
}
