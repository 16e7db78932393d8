package dev.lacuna.ui.places.processes;

import dev.lacuna.bridge.Ending;
import dev.lacuna.bridge.TrainingProcess;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the place shows of one process.
 *
 * @param process who it is
 * @param usage its memory over all devices, where it could be read: of a living process what it holds now, of a black
 *     box the most that it held, because its end has freed everything
 * @param age since its agent started
 * @param lastOutOfMemory its last out-of-memory message; read for black boxes only
 * @param ending how it ended; of black boxes only
 * @param childOf pid of the process that it was split off from, as a data loader's workers are; of living ones only
 */
public record ProcessRow(
        TrainingProcess process,
        Optional<Usage> usage,
        Duration age,
        Optional<String> lastOutOfMemory,
        Optional<Ending> ending,
        OptionalLong childOf) {

    /** Memory over all devices of a process, in bytes. */
    public record Usage(long totalBytes, long reservedBytes, long allocatedBytes) {
        /** Reserved as a share of the total, 0 to 1. */
        public double reservedShare() {
            return totalBytes <= 0 ? 0 : (double) reservedBytes / totalBytes;
        }

        /** Allocated as a share of the total, 0 to 1. */
        public double allocatedShare() {
            return totalBytes <= 0 ? 0 : (double) allocatedBytes / totalBytes;
        }
    }

    /** Whether both are the same process, whatever it is doing now. */
    public boolean isSameProcess(ProcessRow other) {
        return isProcess(other.process);
    }

    /** Whether this row is about that process; a pid alone would not do, it is used again. */
    public boolean isProcess(TrainingProcess other) {
        return process.isSameAs(other);
    }
}
