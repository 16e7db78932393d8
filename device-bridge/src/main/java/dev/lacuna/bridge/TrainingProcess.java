package dev.lacuna.bridge;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * A process that carries an agent, or (state {@link ProcessState#GONE}) the black box that one left.
 *
 * @param id its pid, which holds in this program's pid namespace unless the id tells another one
 * @param startTicks start time in clock ticks since boot: with the pid it names the process for good
 * @param startedAt when the agent started
 * @param command its command line
 * @param devices its devices
 * @param control whether a control socket of the same user is there
 * @param state how it is doing
 * @param telemetry its telemetry file
 * @param isStock whether it was not prepared and is attached: it runs the framework's own allocator
 */
public record TrainingProcess(
        ProcessId id,
        long startTicks,
        Instant startedAt,
        String command,
        List<DeviceSummary> devices,
        boolean control,
        ProcessState state,
        Path telemetry,
        boolean isStock) {

    public TrainingProcess {
        devices = List.copyOf(devices);
    }

    /** A process that carries an agent. */
    public TrainingProcess(
            ProcessId id,
            long startTicks,
            Instant startedAt,
            String command,
            List<DeviceSummary> devices,
            boolean control,
            ProcessState state,
            Path telemetry) {
        this(id, startTicks, startedAt, command, devices, control, state, telemetry, false);
    }

    /** A process that carries an agent and has this pid here. */
    public TrainingProcess(
            long pid,
            long startTicks,
            Instant startedAt,
            String command,
            List<DeviceSummary> devices,
            boolean control,
            ProcessState state,
            Path telemetry) {
        this(ProcessId.here(pid), startTicks, startedAt, command, devices, control, state, telemetry);
    }

    /** Its pid, in the namespace that its id tells. */
    public long pid() {
        return id.pid();
    }

    /** Whether both are the same process, whatever it is doing now; a name alone would not do, it is used again. */
    public boolean isSameAs(TrainingProcess other) {
        return nameForGood().equals(other.nameForGood());
    }

    /** A name that no other process has. */
    public String nameForGood() {
        return id + "-" + startTicks;
    }
}
