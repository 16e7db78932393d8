package dev.lacuna.bridge.find;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.FoundProcess;
import dev.lacuna.bridge.FoundProcess.Job;
import dev.lacuna.bridge.FoundProcess.UsedDevice;
import dev.lacuna.bridge.Framework;
import dev.lacuna.bridge.Obstacle;
import dev.lacuna.bridge.Obstacle.Kind;
import dev.lacuna.bridge.graft.Graft;
import dev.lacuna.bridge.graft.GraftReport;
import dev.lacuna.bridge.graft.MeetingFolder;
import dev.lacuna.bridge.graft.Obstacles;
import dev.lacuna.bridge.process.LinuxProcesses;
import dev.lacuna.bridge.process.ProcessStat;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;

/** Tells of a process what its folder, the drivers and the native library know. What never changes is read once. */
final class ProcessFacts {
    private static final long GOOD_FOR_NS = 2_000_000_000;
    private static final String AGENT_LIBRARY = "liblacuna_torch";

    private final Path proc;
    private final int uid;
    private final Graft graft;
    private final Obstacles obstacles;
    private final MeetingFolder meeting;
    private final DeviceUse devices;
    private final Origins origins;
    private final BootClock boot;
    private final LongSupplier clockNs;
    private final Map<Long, Told> told = new HashMap<>();

    /**
     * Facts of processes under this root.
     *
     * @param uid this program's user
     * @param meeting where a process would leave its files
     */
    ProcessFacts(Path proc, int uid, Graft graft, MeetingFolder meeting, DeviceUse devices, LongSupplier clockNs) {
        this.proc = proc;
        this.uid = uid;
        this.graft = graft;
        this.obstacles = new Obstacles(proc);
        this.meeting = meeting;
        this.devices = devices;
        this.origins = new Origins(proc, new LinuxProcesses(proc));
        this.boot = new BootClock(proc);
        this.clockNs = clockNs;
    }

    /** A round over many processes begins: the drivers are asked once. */
    void begin() {
        devices.refresh(clockNs.getAsLong());
    }

    /** Lets go of what is known of processes that are gone. */
    void forgetAllBut(Set<Long> pids) {
        told.keySet().retainAll(pids);
    }

    /** What is to be listed of it; empty where it has no framework loaded. Of another user's, what a driver tells. */
    Optional<FoundProcess> of(long pid, ProcessStat stat, Optional<MappedFiles> files) {
        boolean listed = files.map(mapped -> !mapped.frameworks().isEmpty())
                .orElseGet(() -> stat.state() != 'Z' && devices.holds(pid));
        return listed ? Optional.of(ofAny(pid, stat, files)) : Optional.empty();
    }

    /** The same of a process that was asked for by its number. */
    FoundProcess ofAny(long pid, ProcessStat stat, Optional<MappedFiles> files) {
        Told known = told.get(pid);
        long now = clockNs.getAsLong();
        boolean same = known != null && known.key().equals(key(stat, files));
        if (same && now - known.atNs() < GOOD_FOR_NS) {
            return known.found();
        }
        ProcFolder folder = new ProcFolder(proc.resolve(Long.toString(pid)));
        Constant constant = same ? known.constant() : constant(folder, files);
        FoundProcess found = found(pid, stat, files, constant, folder);
        told.put(pid, new Told(key(stat, files), now, constant, found));
        return found;
    }

    private static String key(ProcessStat stat, Optional<MappedFiles> files) {
        return stat.startTicks() + " " + stat.name() + " " + files.map(MappedFiles::frameworks);
    }

    private FoundProcess found(
            long pid, ProcessStat stat, Optional<MappedFiles> files, Constant constant, ProcFolder folder) {
        Optional<String> driver = files.flatMap(MappedFiles::driver);
        List<UsedDevice> used = devices.of(pid, driver, folder, constant.environment());
        boolean trains = used.stream().anyMatch(device -> device.heldBytes().orElse(0) > 0);
        return new FoundProcess(
                pid,
                stat.startTicks(),
                boot.at(stat.startTicks()),
                constant.command(),
                constant.user(),
                constant.frameworks(),
                files.flatMap(MappedFiles::python),
                used,
                constant.job(),
                trains ? OptionalLong.empty() : origins.of(pid, stat), // Ranks may be split off as well.
                constant.container(),
                obstacle(pid, files, constant, folder));
    }

    private Constant constant(ProcFolder folder, Optional<MappedFiles> files) {
        Map<String, String> environment = folder.environment();
        String command = folder.command();
        Path root = folder.path().resolve("root");
        List<Framework> frameworks = files.map(MappedFiles::frameworks).orElse(Map.of()).entrySet().stream()
                .map(entry -> new Framework(
                        entry.getKey().packageName(),
                        FrameworkVersion.read(root, entry.getKey(), entry.getValue()),
                        entry.getKey().attachable()))
                .toList();
        long mounts = folder.namespace("mnt");
        return new Constant(
                command,
                folder.user(),
                folder.uid(),
                frameworks,
                environment,
                Jobs.of(environment, command),
                Containers.of(folder.text("cgroup").orElse(""), mounts != 0 && mounts != ownMounts()));
    }

    private long ownMounts() {
        return new ProcFolder(proc.resolve("self")).namespace("mnt");
    }

    private Optional<Obstacle> obstacle(long pid, Optional<MappedFiles> files, Constant constant, ProcFolder folder) {
        if (constant.uid().isPresent() && constant.uid().getAsInt() != uid) {
            return Optional.of(Obstacle.of(Kind.OTHER_USER, constant.user(), pid));
        }
        Optional<Obstacle> unsuited = unsuited(constant.frameworks());
        if (unsuited.isPresent()) {
            return unsuited;
        }
        if (files.map(MappedFiles::carriesAgent).orElse(false) && wasPrepared(constant.environment())) {
            return Optional.of(Obstacle.of(Kind.PREPARED));
        }
        return looked(pid, constant)
                .or(() -> meeting.of(folder.path(), uid).isPresent()
                        ? Optional.empty()
                        : Optional.of(
                                Obstacle.of(Kind.CONTAINER, constant.container().orElse("container"), meeting.own())));
    }

    /**
     * Whether it came with the agent. A process that was taken over and left has the library mapped, too, called by nobody; what
     * it was started with names none. Some overwrite that to change their titles: then nothing speaks against the mapping.
     */
    private static boolean wasPrepared(Map<String, String> environment) {
        return environment.isEmpty()
                || environment.getOrDefault("LD_PRELOAD", "").contains(AGENT_LIBRARY)
                || environment.getOrDefault("LACUNA_TELEMETRY", "").equals("off");
    }

    /** Why none of these can be asked; empty where one can. */
    private static Optional<Obstacle> unsuited(List<Framework> frameworks) {
        return frameworks.isEmpty() || frameworks.stream().anyMatch(Framework::attachable)
                ? Optional.empty()
                : Optional.of(Obstacle.of(Kind.FRAMEWORK, frameworks.get(0).name()));
    }

    private Optional<Obstacle> looked(long pid, Constant constant) {
        try {
            GraftReport report = graft.look(pid);
            return obstacles.of(pid, constant.user(), report);
        } catch (BridgeException unusable) {
            return Optional.of(Obstacle.of(Kind.NO_LIBRARY, String.valueOf(unusable.getMessage())));
        }
    }

    /** What does not change as long as it is the same program with the same frameworks. */
    private record Constant(
            String command,
            String user,
            OptionalInt uid,
            List<Framework> frameworks,
            Map<String, String> environment,
            Job job,
            Optional<String> container) {}

    private record Told(String key, long atNs, Constant constant, FoundProcess found) {}

    /** When the machine was started, to turn ticks into times. */
    private static final class BootClock {
        /** USER_HZ, the same on every Linux that has these processors. */
        private static final long TICK_MS = 10;

        private final long bootSeconds;

        BootClock(Path proc) {
            this.bootSeconds = new ProcFolder(proc)
                    .text("stat")
                    .flatMap(text -> text.lines()
                            .filter(line -> line.startsWith("btime "))
                            .findFirst())
                    .map(line ->
                            Long.parseLong(line.substring("btime ".length()).strip()))
                    .orElse(0L);
        }

        Instant at(long ticks) {
            return Instant.ofEpochSecond(bootSeconds).plusMillis(ticks * TICK_MS);
        }
    }
}
