package dev.lacuna.app.cli.plan;

import dev.lacuna.app.cli.argument.DeviceArgument;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.cli.process.Answers;
import dev.lacuna.app.cli.process.Bridge;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.LayerOrders;
import dev.lacuna.bridge.ProcessId;
import dev.lacuna.bridge.ProfileReading;
import dev.lacuna.bridge.SwapControl;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import dev.lacuna.core.planning.swap.layer.LayerProfile;

/** A running process as input and as the place where a plan holds. */
final class PlanLive {
    /** Long enough for some steps of a large model. */
    private static final int MOST_SECONDS = 120;

    private static final long BETWEEN_MS = 250;

    private final long pid;
    private final DeviceArgument asked;

    PlanLive(long pid, DeviceArgument asked) {
        this.pid = pid;
        this.asked = asked;
    }

    /** Its profile; where there is none yet, the agent begins to measure, and this waits for it. */
    LayerProfile profile() throws BridgeException {
        try (AttachedProcess process = Bridge.processes().attach(pid)) {
            SwapControl control = control(process);
            int device = asked.in(process.sample().devices());
            for (long waited = 0; waited < MOST_SECONDS * 1000L; waited += BETWEEN_MS) {
                ProfileReading reading = Answers.given(control.profile(device, false));
                boolean measured = reading.profile().layers().stream().anyMatch(layer -> layer.steps() > 0);
                if (measured && !reading.measuring()) {
                    return reading.profile().overTheRange(peakSeen(process, device));
                }
                Thread.sleep(BETWEEN_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new CommandFailure(
                ExitStatus.PROCESS, CliText.text("plan.live.unmeasured", Integer.toString(MOST_SECONDS)));
    }

    /** Shapes vary: the measured steps need not be the largest. */
    private static long peakSeen(AttachedProcess process, int device) throws BridgeException {
        return process.sample().devices().stream()
                .filter(counters -> counters.device() == device)
                .mapToLong(MemoryCounters::peakAllocatedBytes)
                .findFirst()
                .orElse(0);
    }

    /** Tells the process what its layers do from the next forward on. */
    void apply(LayerPolicy policy) throws BridgeException {
        try (AttachedProcess process = Bridge.processes().attach(pid)) {
            Answers.given(
                    control(process).tell(asked.in(process.sample().devices()), new LayerOrders.ByLayer(policy)),
                    ProcessId.here(pid));
        }
    }

    private static SwapControl control(AttachedProcess process) {
        return process.swapping()
                .orElseThrow(() -> new CommandFailure(ExitStatus.PROCESS, CliText.text("plan.live.none")));
    }
}
