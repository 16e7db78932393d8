package dev.lacuna.bridge;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A process that has a training framework loaded, as the operating system and the devices' drivers tell of it.
 *
 * @param pid in this program's pid namespace
 * @param startTicks start time in clock ticks since boot: with the pid it names the process for good
 * @param startedAt when it started
 * @param command its command line
 * @param user whose it is
 * @param frameworks what it has loaded, the one that is meant first; empty where it is another user's and only a driver names it
 * @param python {@code 3.11}, where it is a Python whose version can be told
 * @param devices accelerators that it uses, as far as its open files and the drivers tell
 * @param job its place in a job of several processes
 * @param childOf pid of the process that it was split off from, as a data loader's workers are: by a fork, or by Python's
 *     {@code multiprocessing}; empty where it stands for itself, and where its driver says that it holds memory of a device
 * @param container {@code docker 3f2a…}, where it runs in one
 * @param obstacle what keeps it from being attached; empty: it can be
 */
public record FoundProcess(
        long pid,
        long startTicks,
        Instant startedAt,
        String command,
        String user,
        List<Framework> frameworks,
        Optional<String> python,
        List<UsedDevice> devices,
        Job job,
        OptionalLong childOf,
        Optional<String> container,
        Optional<Obstacle> obstacle) {

    public FoundProcess {
        frameworks = List.copyOf(frameworks);
        devices = List.copyOf(devices);
    }

    /** The framework that is meant when one is named. */
    public Optional<Framework> framework() {
        return frameworks.stream().findFirst();
    }

    /**
     * An accelerator that a process uses.
     *
     * @param kind {@code cuda} or {@code npu}
     * @param index the driver's number of it; empty where it is not told
     * @param heldBytes what the process holds of it, as its driver tells
     * @param totalBytes what the device has, as its driver tells
     */
    public record UsedDevice(String kind, OptionalInt index, OptionalLong heldBytes, OptionalLong totalBytes) {}

    /**
     * Its place in a job.
     *
     * @param rank its number among all processes of the job
     * @param worldSize how many those are
     * @param launcher who started it: {@code torchrun}, {@code slurm}, …
     */
    public record Job(OptionalInt rank, OptionalInt worldSize, Optional<String> launcher) {
        /** Of a process that runs alone. */
        public static final Job NONE = new Job(OptionalInt.empty(), OptionalInt.empty(), Optional.empty());
    }
}
