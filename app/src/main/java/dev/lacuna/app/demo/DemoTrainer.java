package dev.lacuna.app.demo;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.BridgeException.Reason;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.bridge.TrainingProcesses;
import dev.lacuna.bridge.hosted.AgentPackage;
import dev.lacuna.bridge.launch.LaunchSettings;
import dev.lacuna.bridge.launch.LaunchedTraining;
import dev.lacuna.bridge.launch.TorchPython;
import dev.lacuna.bridge.launch.TrainingLauncher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A training process that the demo started. Closing it ends it; it also ends by itself when this program dies. */
public final class DemoTrainer implements AutoCloseable {
    /** Importing PyTorch on a cold, busy machine takes most of it. */
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /** Between the agent's goodbye and the end lie the interpreter's own farewells. */
    private static final Duration GOODBYE = Duration.ofSeconds(30);

    private static final long LOOK_EVERY_MS = 50;
    private static final int TOLD_LINES = 20;

    private final Workload workload;
    private final LaunchedTraining training;
    private final Optional<Path> script;

    private DemoTrainer(Workload workload, LaunchedTraining training, Optional<Path> script) {
        this.workload = workload;
        this.training = training;
        this.script = script;
    }

    /**
     * Starts the workload asked for, or the best that is present.
     *
     * @throws NoTorchException when a PyTorch workload was asked for and there is no PyTorch
     * @throws TooLittleMemoryException when no size was asked for and there is too little free memory for any
     */
    public static DemoTrainer start(DemoOptions options)
            throws BridgeException, NoTorchException, TooLittleMemoryException {
        DemoSize size = size(options);
        Optional<Workload> asked = options.workload();
        Optional<Path> python = asked.equals(Optional.of(Workload.BUILTIN)) ? Optional.empty() : TorchPython.find();
        Workload workload = asked.orElse(python.isPresent() ? Workload.GPT : Workload.BUILTIN);
        LaunchSettings settings = LaunchSettings.USUAL
                .withCapacity(size.capacityBytes())
                .withFraction(options.fraction())
                .withOptimisation(options.optimisation());
        TrainingLauncher launcher = new TrainingLauncher(AgentPackage.unpack());
        if (workload == Workload.BUILTIN) {
            return new DemoTrainer(workload, launcher.plain(builtin(options, size), settings), Optional.empty());
        }
        Path script = TrainingScripts.unpack(workload.script().orElseThrow());
        List<String> arguments = new ArrayList<>(List.of(
                "--steps",
                Long.toString(options.steps()),
                "--parent",
                Long.toString(ProcessHandle.current().pid())));
        if (workload == Workload.GPT) {
            arguments.addAll(List.of("--tokens", Integer.toString(size.tokens())));
        }
        LaunchedTraining training =
                launcher.script(python.orElseThrow(NoTorchException::new), script, arguments, settings);
        return new DemoTrainer(workload, training, Optional.of(script));
    }

    /** What it trains. */
    public Workload workload() {
        return workload;
    }

    /** Its process id. */
    public long pid() {
        return training.pid();
    }

    /**
     * Waits until its agent can be attached to.
     *
     * @throws EndedEarlyException when it ended before, with the end of its output
     * @throws BridgeException TIMED_OUT when no agent appeared
     */
    public TrainingProcess awaitAgent(TrainingProcesses processes)
            throws BridgeException, EndedEarlyException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < deadline) {
            Optional<TrainingProcess> found =
                    processes.living().stream().filter(p -> p.pid() == pid()).findFirst();
            if (found.isPresent()) {
                return found.get();
            }
            if (!training.running()) {
                throw new EndedEarlyException(training.onExit().join(), outputTail());
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
        }
        throw new BridgeException(
                Reason.TIMED_OUT,
                "process " + pid() + " started, but its agent did not appear within " + PATIENCE.toSeconds() + " s; "
                        + outputTail());
    }

    /**
     * Its exit status. Its agent says goodbye a moment before the process is gone, so this waits for that moment.
     *
     * @throws BridgeException TIMED_OUT when it does not end
     */
    public int awaitExit() throws BridgeException, InterruptedException {
        try {
            return training.onExit().get(GOODBYE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new BridgeException(
                    Reason.TIMED_OUT, "process " + pid() + " left its agent but has not ended; " + outputTail(), e);
        } catch (ExecutionException e) {
            throw new BridgeException(Reason.SYSTEM, "the exit status of process " + pid() + " is lost", e);
        }
    }

    /** Completes with its exit status when it has ended and all its output was read. */
    public CompletableFuture<Integer> onExit() {
        return training.onExit();
    }

    /** The last lines that it printed. */
    public String outputTail() {
        List<String> lines = training.output();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - TOLD_LINES), lines.size()));
    }

    @Override
    public void close() {
        training.close();
        script.ifPresent(DemoTrainer::forget);
    }

    /** Somebody who asks for a size gets the whole workload on it, also where it does not fit. */
    private static DemoSize size(DemoOptions options) throws TooLittleMemoryException {
        if (options.capacityBytes().isPresent()) {
            return new DemoSize(options.capacityBytes().getAsLong(), DemoSize.LARGEST.tokens());
        }
        long free = FreeMemory.bytes();
        return DemoSize.within(free).orElseThrow(() -> new TooLittleMemoryException(free));
    }

    private static List<String> builtin(DemoOptions options, DemoSize size) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx64m",
                "--enable-native-access=ALL-UNNAMED", // Java warns of JNA from 24 on
                "-cp",
                System.getProperty("java.class.path"),
                BuiltinWorkload.class.getName(),
                Long.toString(size.capacityBytes()),
                Double.toString(options.fraction()),
                options.optimisation() ? "on" : "off",
                Long.toString(options.steps()),
                Long.toString(ProcessHandle.current().pid()),
                Integer.toString(size.tokens()));
    }

    private static void forget(Path script) {
        try {
            Files.deleteIfExists(script);
            Files.deleteIfExists(script.getParent());
        } catch (IOException e) {
            System.getLogger(DemoTrainer.class.getName())
                    .log(System.Logger.Level.WARNING, "{0} is left behind: {1}", script, e);
        }
    }
}
