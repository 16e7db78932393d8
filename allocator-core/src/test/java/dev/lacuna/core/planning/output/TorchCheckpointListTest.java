package dev.lacuna.core.planning.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lacuna.core.base.RefusedException;
import dev.lacuna.core.planning.chain.ChainStep;
import dev.lacuna.core.planning.chain.Revolve;
import dev.lacuna.core.planning.method.CheckpointTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TorchCheckpointListTest {
    /** Gradients stay the same, and each module goes forward as often as the schedule says. */
    private static final String TRIAL = """
            import copy, sys, torch
            sys.path.insert(0, sys.argv[1])
            import plan
            torch.manual_seed(0)
            calls = [0] * int(sys.argv[2])
            class Layer(torch.nn.Module):
                def __init__(self, index):
                    super().__init__()
                    self.index, self.linear = index, torch.nn.Linear(8, 8)
                def forward(self, x):
                    calls[self.index] += 1
                    return torch.tanh(self.linear(x))
            model = torch.nn.Sequential(*[Layer(i) for i in range(len(calls))])
            planned = plan.apply(copy.deepcopy(model))
            x = torch.randn(4, 8, requires_grad=True)
            model(x).sum().backward()
            want = [p.grad.clone() for p in model.parameters()]
            calls[:] = [0] * len(calls)
            planned(x).sum().backward()
            assert all(torch.equal(a, b.grad) for a, b in zip(want, planned.parameters()))
            print(sum(calls))
            """;

    @TempDir
    private Path folder;

    private static List<String> names(int count) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add(Integer.toString(i));
        }
        return names;
    }

    private int forwards(int layers, CheckpointTree tree) throws IOException, InterruptedException, RefusedException {
        assumeTrue(python("import torch").isPresent(), "no PyTorch here");
        Files.writeString(folder.resolve("plan.py"), TorchCheckpointList.of(names(layers), tree));
        return Integer.parseInt(python(TRIAL, folder.toString(), Integer.toString(layers))
                .orElseThrow()
                .strip());
    }

    private Optional<String> python(String program, String... arguments) throws IOException, InterruptedException {
        // A managed Python may stand before the system's, without PyTorch.
        for (String interpreter : List.of("python3", "/usr/bin/python3")) {
            Optional<String> out = run(interpreter, program, arguments);
            if (out.isPresent()) {
                return out;
            }
        }
        return Optional.empty();
    }

    private Optional<String> run(String interpreter, String program, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(interpreter, "-W", "ignore", "-c", program));
        command.addAll(List.of(arguments));
        Path out = folder.resolve("out");
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(out.toFile())
                    .start();
        } catch (IOException e) {
            return Optional.empty();
        }
        if (!process.waitFor(240, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            return Optional.empty();
        }
        String text = Files.readString(out, StandardCharsets.UTF_8);
        return process.exitValue() == 0 ? Optional.of(text) : Optional.empty();
    }

    @Test
    void wraps_just_the_layers_that_run_again() throws Exception {
        CheckpointTree tree = CheckpointTree.ofStages(List.of(true, false, true, false));
        assertThat(TorchCheckpointList.of(names(4), tree)).contains("    (\"0\",),\n    (\"2\",),\n");
        assertThat(forwards(4, tree)).isEqualTo(6);
    }

    @Test
    void runs_nested_stretches_as_often_as_the_schedule_does() throws Exception {
        List<ChainStep> steps = Revolve.schedule(7, 2);
        int forwards = (int) steps.stream()
                .filter(step -> step.kind() != ChainStep.Kind.BACKWARD)
                .count();
        CheckpointTree tree = CheckpointTree.of(steps).orElseThrow();
        assertThat(tree.nested()).isTrue();
        assertThat(forwards(7, tree)).isEqualTo(forwards);
    }

    @Test
    void a_plan_that_recomputes_nothing_has_nothing_to_wrap() {
        assertThatThrownBy(() -> TorchCheckpointList.of(names(2), CheckpointTree.ofStages(List.of(false, false))))
                .isInstanceOf(RefusedException.class);
    }
}
