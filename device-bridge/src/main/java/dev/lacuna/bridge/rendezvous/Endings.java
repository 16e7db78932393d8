package dev.lacuna.bridge.rendezvous;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.Ending;
import dev.lacuna.bridge.process.KernelLog;
import dev.lacuna.bridge.process.MemoryKills;
import dev.lacuna.bridge.process.PidNamespaces;
import dev.lacuna.bridge.wire.TelemetryFile;
import dev.lacuna.bridge.wire.TelemetryHeader;
import java.util.Optional;
import java.util.OptionalLong;

/** How processes ended: what they told themselves, else what the kernel's log or their control group's counter tells. */
final class Endings {
    private final PidNamespaces namespaces;
    private final KernelLog log;
    private final MemoryKills kills;

    Endings(PidNamespaces namespaces, KernelLog log, MemoryKills kills) {
        this.namespaces = namespaces;
        this.log = log;
        this.kills = kills;
    }

    /**
     * How the process of this file ended.
     *
     * @param pidHere the pid that it had in this program's namespace
     */
    Ending of(TelemetryFile file, OptionalLong pidHere) throws BridgeException {
        Optional<Ending> reported = file.toldEnding();
        return reported.isPresent() ? reported.get() : untold(file.header(), pidHere);
    }

    private Ending untold(TelemetryHeader header, OptionalLong pidHere) {
        if (header.place().boot().isEmpty() || !header.place().boot().equals(namespaces.boot())) {
            return new Ending.Unknown();
        }
        OptionalLong pid = pidInLog(header, pidHere);
        KernelLog.Word word =
                pid.isPresent() ? log.about(pid.getAsLong(), header.startMonotonicNs()) : KernelLog.Word.SILENT;
        return switch (word) {
            case GROUP_LIMIT -> new Ending.KilledForMemory(true);
            case MACHINE -> new Ending.KilledForMemory(false);
            case NOT_NAMED -> new Ending.Unknown();
            case SILENT -> counted(header.kills());
        };
    }

    /** The log tells pids of the machine's first namespace. */
    private OptionalLong pidInLog(TelemetryHeader header, OptionalLong pidHere) {
        if (header.place().pidNamespace() == PidNamespaces.FIRST) {
            return OptionalLong.of(header.pid());
        }
        return namespaces.own("pid") == PidNamespaces.FIRST ? pidHere : OptionalLong.empty();
    }

    private Ending counted(TelemetryHeader.Kills counter) {
        if (counter.mountNamespace() == 0 || counter.mountNamespace() != namespaces.own("mnt")) {
            return new Ending.Unknown();
        }
        long since = kills.count(counter.file()).orElse(counter.before()) - counter.before();
        return since > 0 ? new Ending.ProbablyKilledForMemory(since) : new Ending.Unknown();
    }
}
