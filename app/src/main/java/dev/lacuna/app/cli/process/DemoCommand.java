package dev.lacuna.app.cli.process;

import dev.lacuna.app.cli.argument.ByteSizeConverter;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.Display;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.cli.output.JsonLine;
import dev.lacuna.app.demo.DemoOptions;
import dev.lacuna.app.demo.DemoSize;
import dev.lacuna.app.demo.DemoTrainer;
import dev.lacuna.app.demo.EndedEarlyException;
import dev.lacuna.app.demo.NoTorchException;
import dev.lacuna.app.demo.TooLittleMemoryException;
import dev.lacuna.app.demo.Workload;
import dev.lacuna.app.window.WindowLauncher;
import dev.lacuna.app.window.WindowOpening;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.Ending;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.bridge.TrainingProcesses;
import dev.lacuna.core.base.ByteSize;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code lacuna demo}: a real training process under Lacuna's allocator, watched in the window or as JSON. */
@Command(name = "demo", mixinStandardHelpOptions = true)
public final class DemoCommand implements Callable<Integer> {
    private static final Duration INTERVAL = Duration.ofMillis(100);

    /** One chunk, and what the agent accepts at most (native/src/pool/pool.c). */
    private static final long SMALLEST_CAPACITY = 2L << 20;

    private static final long LARGEST_CAPACITY = 1L << 50;

    @Option(names = "--no-window")
    private boolean noWindow;

    @Option(names = "--workload", paramLabel = "W")
    private Optional<String> workload = Optional.empty();

    @Option(names = "--capacity", paramLabel = "SIZE", converter = ByteSizeConverter.class)
    private Optional<Long> capacity = Optional.empty();

    @Option(names = "--fraction", paramLabel = "F")
    private double fraction = DemoOptions.DEFAULTS.fraction();

    @Option(
            names = {"--optimisation", "--optimization"},
            paramLabel = "on|off")
    private String optimisation = "off";

    @Option(names = "--steps", paramLabel = "N")
    private long steps = DemoOptions.DEFAULTS.steps();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws BridgeException, InterruptedException {
        DemoOptions options = options();
        if (!noWindow) {
            Display.require();
            WindowLauncher.open(WindowOpening.on(options));
            return ExitStatus.DONE.code();
        }
        try (DemoTrainer trainer = DemoTrainer.start(options)) {
            // A SIGTERM to the demo ends the trainer too.
            Runtime.getRuntime().addShutdownHook(new Thread(trainer::close, "lacuna-end-of-demo"));
            return watch(trainer);
        } catch (NoTorchException e) {
            throw new CommandFailure(ExitStatus.INPUT, CliText.text("demo.no.torch"));
        } catch (TooLittleMemoryException e) {
            throw new CommandFailure(
                    ExitStatus.INPUT,
                    CliText.text(
                            "demo.memory", ByteSize.format(e.freeBytes()), ByteSize.format(DemoSize.LEAST_FREE_BYTES)));
        }
    }

    private int watch(DemoTrainer trainer) throws BridgeException, InterruptedException {
        System.err.println(
                "lacuna: " + CliText.text("demo.using", trainer.workload().label()));
        TrainingProcesses processes = Bridge.processes();
        TrainingProcess process;
        try {
            process = trainer.awaitAgent(processes);
        } catch (EndedEarlyException e) {
            throw new CommandFailure(
                    ExitStatus.PROCESS,
                    CliText.text("demo.ended.early", how(e.status(), new Ending.Unknown()), e.output()));
        }
        JsonLine.print(System.out, Long.toString(process.pid()));
        Ending seen;
        try (AttachedProcess attached = processes.open(process)) {
            SampleJson documents = new SampleJson();
            new SampleStream(attached, INTERVAL)
                    .run(0, sample -> documents.lines(sample).forEach(line -> JsonLine.print(System.out, line)));
            seen = attached.ending();
        }
        int status = trainer.awaitExit();
        if (status != 0) {
            throw new CommandFailure(
                    ExitStatus.PROCESS, CliText.text("demo.ended.early", how(status, seen), trainer.outputTail()));
        }
        return ExitStatus.DONE.code();
    }

    private static String how(int status, Ending seen) {
        return Ending.ofStatus(status, seen).text(Locale.getDefault());
    }

    private DemoOptions options() {
        Optional<Workload> chosen = workload.map(
                name -> Workload.ofLabel(name).orElseThrow(() -> wrong(CliText.text("demo.workload.unknown", name))));
        if (steps < 0) {
            throw wrong(CliText.text("demo.steps", String.valueOf(steps)));
        }
        if (!(fraction > 0 && fraction <= 1)) {
            throw wrong(CliText.text("set.fraction", String.valueOf(fraction)));
        }
        if (!List.of("on", "off").contains(optimisation)) {
            throw wrong(CliText.text("set.choice", "--optimisation", "on", "off", optimisation));
        }
        if (capacity.filter(bytes -> bytes < SMALLEST_CAPACITY || bytes > LARGEST_CAPACITY)
                .isPresent()) {
            throw wrong(CliText.text("demo.capacity"));
        }
        return new DemoOptions(
                chosen,
                capacity.map(OptionalLong::of).orElse(OptionalLong.empty()),
                fraction,
                optimisation.equals("on"),
                steps);
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
