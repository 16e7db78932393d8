package dev.lacuna.bridge;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * A process that carries an agent, or (state {@link ProcessState#GONE}) the black box that one left.
 *
 * @param pid process id
 * @param startTicks start time in clock ticks since boot: with the pid it names the process for good
 * @param startedAt when the agent started
 * @param command its command line
 * @param devices its devices
 * @param control whether a control socket of the same user is there
 * @param state how it is doing
 * @param telemetry its telemetry file
 */
public record TrainingProcess(
        long pid,
        long startTicks,
        Instant startedAt,
        String command,
        List<DeviceSummary> devices,
        boolean control,
        ProcessState state,
        Path telemetry) {

    public TrainingProcess {
        devices = List.copyOf(devices);
    }
}
