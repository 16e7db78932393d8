package dev.lacuna.bridge.graft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.Attacher.Outcome;
import dev.lacuna.bridge.StockControl.Forecast;
import dev.lacuna.bridge.find.EveryProcess;
import dev.lacuna.bridge.rendezvous.LocalTrainingProcesses;
import dev.lacuna.core.base.counters.LivePeak;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is told of a setting before it is set, against what PyTorch for CUDA then reserves; on stand-ins for CUDA's libraries. */
class RealForecastTest {
    /** Steps whose tensors come in three patterns, so that memory fragments. Prints the most that was reserved in 30 of them. */
    private static final String TRAINING = String.join(
            "\n",
            "import time, torch",
            "weights = [torch.nn.Parameter(torch.ones(n << 20, device='cuda')) for n in (3, 9, 17)]",
            "optimizer = torch.optim.SGD(weights, lr=0.1, momentum=0.9)",
            "def step(pattern):",
            "    held = [torch.empty(n << 20, device='cuda') for n in pattern]",
            "    del held[::2]",
            "    held += [torch.empty((n + 5) << 20, device='cuda') for n in pattern[::-1]]",
            "    for weight in weights:",
            "        weight.grad = torch.zeros_like(weight)",
            "    optimizer.step()",
            "patterns = [(11, 23, 37, 41), (61, 13, 29), (19, 47, 7, 31, 43)]",
            "for n in range(30):",
            "    step(patterns[n % 3])",
            "print('ready', torch.cuda.max_memory_reserved(), flush=True)",
            "while True:",
            "    step(patterns[n % 3])",
            "    n += 1",
            "    time.sleep(0.02)");

    private static final Pattern READY = Pattern.compile("(?m)^ready (\\d+)$");

    @TempDir
    private Path folder;

    private final List<ProcessHandle> started = new ArrayList<>();

    @AfterEach
    void end() {
        started.forEach(ProcessHandle::destroyForcibly);
    }

    /** As near as docs/cli.md says: in which order all came that was there already nobody recorded. */
    @Test
    void growing_segments_reserve_about_what_was_told_before() throws Exception {
        Forecast told = forecast("expandable_segments", "True", process -> {});
        long measured = reserved(start(Map.of("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True")));
        assertThat(told.withChangedBytes())
                .as("from %d bytes", told.withPresentBytes())
                .isCloseTo(measured, withPercentage(8));
    }

    @ParameterizedTest
    @CsvSource({"max_split_size_mb, 128", "expandable_segments, True"})
    void a_setting_that_comes_while_it_runs_reserves_what_was_told_of_some_moment(String key, String value)
            throws Exception {
        AtomicLong measured = new AtomicLong();
        Forecast told = forecast(key, value, process -> {
            assertThat(process.stock().orElseThrow().changeSetting(key, value)).isInstanceOf(Answer.Given.class);
            long from = process.sample().devices().get(0).step();
            while (process.sample().devices().get(0).step() < from + 30) {
                long reserved = process.sample().devices().get(0).reservedBytes();
                measured.accumulateAndGet(reserved, Math::max);
                Thread.sleep(5);
            }
        });
        LivePeak live = told.live().orElseThrow();
        assertThat(measured.doubleValue()).isBetween(live.leastBytes() * 0.98, live.mostBytes() * 1.02);
        assertThat(live.mostBytes()).as("%s", live).isLessThan(live.leastBytes() * 5 / 4);
    }

    /** What is done with the process once it was told. */
    private interface After {
        void told(AttachedProcess process) throws Exception;
    }

    private Forecast forecast(String key, String value, After after) throws Exception {
        Path said = start(Map.of());
        long present = reserved(said);
        ProcessHandle training = started.get(started.size() - 1);
        Path rendezvous = folder.resolve("rendezvous");
        LocalTrainingProcesses processes = new LocalTrainingProcesses(rendezvous, "test");
        Graft graft = new NativeGraft();
        LocalAttacher attacher = new LocalAttacher(
                processes, graft, "test", ProcessHandle.current().pid());
        Outcome outcome = attacher.attach(
                EveryProcess.ofThisMachine(processes, rendezvous, graft).look(training.pid()), since -> {});
        assertThat(outcome).isInstanceOf(Outcome.Attached.class);
        try (AttachedProcess process = processes.attach(training.pid())) {
            while (process.sample().devices().isEmpty()
                    || process.sample().devices().get(0).step() < 2) {
                Thread.sleep(10);
            }
            Answer<Forecast> answer = process.stock().orElseThrow().forecast(key, value);
            assertThat(answer).isInstanceOf(Answer.Given.class);
            Forecast told = ((Answer.Given<Forecast>) answer).value();
            assertThat(told.reservedBytes()).isCloseTo(present, withPercentage(2));
            after.told(process);
            return told;
        } finally {
            training.destroyForcibly();
        }
    }

    /** The file that it writes to. By a shell that ends: a child of this program would be none that it could attach to. */
    private Path start(Map<String, String> settings) throws Exception {
        String python = System.getenv("LACUNA_CUDA_PYTHON");
        String libraries = System.getenv("LACUNA_CUDA_LIBRARIES");
        assumeTrue(python != null && libraries != null, "needs PyTorch for CUDA, and stand-ins for its libraries");
        Path said = Files.createTempFile(folder, "said", "");
        ProcessBuilder builder = new ProcessBuilder(
                "sh", "-c", "\"$0\" -c \"$1\" >\"$2\" 2>&1 </dev/null & echo $!", python, TRAINING, said.toString());
        builder.environment().keySet().removeIf(name -> name.startsWith("PYTORCH_") || name.startsWith("LACUNA_"));
        builder.environment().put("LD_LIBRARY_PATH", libraries);
        builder.environment().put("STANDIN_DEVICES", "1");
        builder.environment().put("STANDIN_BYTES", Long.toString(8L << 30));
        builder.environment().putAll(settings);
        Process shell = builder.start();
        long pid = Long.parseLong(shell.inputReader().readLine().strip());
        shell.waitFor();
        started.add(ProcessHandle.of(pid).orElseThrow());
        return said;
    }

    /** Behind what PyTorch warns of. */
    private long reserved(Path said) throws Exception {
        while (true) {
            String text = Files.readString(said);
            Matcher ready = READY.matcher(text);
            if (ready.find()) {
                return Long.parseLong(ready.group(1));
            }
            assertThat(started.get(started.size() - 1).isAlive())
                    .as("the training, which said: %s", text)
                    .isTrue();
            Thread.sleep(20);
        }
    }
}
