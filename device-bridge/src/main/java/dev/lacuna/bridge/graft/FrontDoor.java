package dev.lacuna.bridge.graft;

import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.BridgeException.Reason;
import dev.lacuna.bridge.ProcessId;
import dev.lacuna.bridge.StockControl;
import dev.lacuna.bridge.TakeOver;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.bridge.hosted.AgentPackage;
import dev.lacuna.bridge.rendezvous.LocalTrainingProcesses;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Opens the front door in an attached process: an agent in front of PyTorch's own allocator of CUDA or host memory. */
public final class FrontDoor implements TakeOver {
    private static final Duration BUILDING = Duration.ofMinutes(5);
    private static final Duration A_STEP = Duration.ofSeconds(60);
    private static final long PAUSE_MS = 20;

    private final LocalTrainingProcesses processes;

    /** @param processes where the process was found, and will be found again */
    public FrontDoor(LocalTrainingProcesses processes) {
        this.processes = processes;
    }

    @Override
    public Answer<TrainingProcess> open(TrainingProcess process, Consumer<String> told) throws BridgeException {
        if (!can(process)) {
            return new Answer.Refused<>(
                    "cannot", "there are no pools but in front of PyTorch's allocators of CUDA and host memory");
        }
        AgentPackage files = AgentPackage.unpack();
        Optional<String> failed = onHost(process) ? Optional.empty() : build(process, files, told);
        if (failed.isPresent()) {
            return new Answer.Refused<>("no-front", failed.get());
        }
        Answer<Boolean> asked;
        try (AttachedProcess attached = processes.open(process)) {
            asked = stock(attached)
                    .openFront(files.torchLibrary(), files.pythonPath().resolve("lacuna"));
        }
        if (asked instanceof Answer.Refused<Boolean> refused) {
            return new Answer.Refused<>(refused.code(), refused.text());
        }
        return await(process);
    }

    private boolean can(TrainingProcess process) throws BridgeException {
        try (AttachedProcess attached = processes.open(process)) {
            return stock(attached).facts() instanceof Answer.Given<StockControl.Facts> known
                    && known.value().can().contains("front");
        }
    }

    /** There nothing needs to be built. */
    private static boolean onHost(TrainingProcess process) {
        return process.devices().stream().noneMatch(device -> device.name().isAccelerator());
    }

    private static StockControl stock(AttachedProcess attached) throws BridgeException {
        return attached.stock()
                .orElseThrow(() -> new BridgeException(
                        Reason.NOT_PERMITTED, "process " + attached.process().id() + " is not one that was attached"));
    }

    private Optional<String> build(TrainingProcess process, AgentPackage files, Consumer<String> told)
            throws BridgeException {
        try (Presence presence = new Presence(() -> can(process), Presence.EVERY)) {
            FrontBuild build =
                    FrontBuild.of(Path.of("/proc", process.id().toString()), files.pythonPath(), files.torchLibrary());
            return run(build, told);
        } catch (IOException e) {
            throw new BridgeException(Reason.GONE, "process " + process.id() + " cannot be looked at: " + e, e);
        }
    }

    /** Empty when it is built; else what the builder said last. */
    private static Optional<String> run(FrontBuild build, Consumer<String> told) throws IOException, BridgeException {
        ProcessBuilder builder = new ProcessBuilder(build.command())
                .directory(new File("/"))
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        Map<String, String> environment = builder.environment();
        environment.clear();
        environment.putAll(build.environment());
        Process building = builder.start();
        String last = "it said nothing";
        try (BufferedReader said =
                new BufferedReader(new InputStreamReader(building.getErrorStream(), StandardCharsets.UTF_8))) {
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                last = line.replaceFirst("^lacuna: ", "");
                told.accept(last);
            }
            boolean ended = building.waitFor(BUILDING.toMillis(), TimeUnit.MILLISECONDS);
            return ended && building.exitValue() == 0 ? Optional.empty() : Optional.of(last);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BridgeException(Reason.TIMED_OUT, "building was interrupted", e);
        } finally {
            building.destroyForcibly();
        }
    }

    private Answer<TrainingProcess> await(TrainingProcess process) throws BridgeException {
        long until = System.nanoTime() + A_STEP.toNanos();
        while (System.nanoTime() < until) {
            Optional<TrainingProcess> agent = agent(process.id());
            if (agent.isPresent()) {
                return new Answer.Given<>(agent.get());
            }
            pause();
        }
        return new Answer.Refused<>(
                "no-step",
                "no optimizer of it has ended a step within " + A_STEP.toSeconds() + " s; it opens at the next");
    }

    private Optional<TrainingProcess> agent(ProcessId id) throws BridgeException {
        try (AttachedProcess opened = processes.attach(id)) {
            return Optional.of(opened.process()).filter(found -> !found.isStock() && found.control());
        } catch (BridgeException notYet) {
            if (notYet.reason() == Reason.GONE || notYet.reason() == Reason.UNREADABLE) {
                return Optional.empty(); // between the one that left and the one that comes
            }
            throw notYet;
        }
    }

    private static void pause() throws BridgeException {
        try {
            Thread.sleep(PAUSE_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BridgeException(Reason.TIMED_OUT, "waiting was interrupted", e);
        }
    }
}
