package dev.lacuna.core.diagnosis.model;

import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import dev.lacuna.core.diagnosis.oom.model.PrintedAllocConf;
import dev.lacuna.core.diagnosis.oom.model.Setting;
import dev.lacuna.core.diagnosis.oom.model.Surroundings;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What a rule may look at.
 *
 * @param report the message
 * @param settings what is known to be on: from the message, its log, the attached process
 * @param conf the allocator settings string that the log shows
 * @param surroundings where the message was printed, as far as the lines around it tell
 * @param grows whether the log prints memory that grows from step to step
 * @param pool the pool as known from beside the message
 * @param thresholds what counts as much
 */
public record Evidence(
        OomReport report,
        Set<Setting> settings,
        Optional<PrintedAllocConf> conf,
        Surroundings surroundings,
        boolean grows,
        PoolState pool,
        Thresholds thresholds) {
    public Evidence {
        settings = Set.copyOf(settings);
    }

    public boolean claims(Claim claim) {
        return report.claims().contains(claim);
    }

    public boolean isOn(Setting setting) {
        return settings.contains(setting);
    }

    public OptionalLong tried() {
        return report.triedBytes();
    }

    public OptionalLong free() {
        return report.freeBytes();
    }

    public OptionalLong total() {
        return report.totalBytes();
    }

    /** Reserved − allocated, from the message. */
    public OptionalLong gap() {
        return report.gapBytes();
    }

    /** Total − free − reserved, from the message. */
    public OptionalLong outside() {
        return report.outsideBytes();
    }

    /** Reserved − allocated, from the message or else from beside it. */
    public OptionalLong knownGap() {
        return gap().isPresent() ? gap() : pool.gapBytes();
    }

    /** What lies outside the pool, from the message or else from beside it. */
    public OptionalLong knownOutside() {
        return outside().isPresent() ? outside() : pool.outsideBytes();
    }

    /** Capacity, from the message or else from beside it. */
    public OptionalLong knownTotal() {
        return total().isPresent() ? total() : pool.totalBytes();
    }

    /** Whose device it is. */
    public DeviceKind device() {
        return DeviceKind.of(report, surroundings);
    }

    /** Who printed a message, and in the middle of what. */
    public Origin origin() {
        return new Origin(this);
    }

    /** What others than the pool hold of the device, and how much that says. */
    public OtherHolders others() {
        return new OtherHolders(this);
    }

    /** What there was room for: what was free, what lies in pieces, and what is missing. */
    public Room room() {
        return new Room(this);
    }

    /** Whether a device is full, so that closing a gap would help hardly or not at all. */
    public Fullness fullness() {
        return new Fullness(this);
    }

    /** What was asked for, against the device: whether a request of its size can be meant, or served at all. */
    public Request request() {
        return new Request(this);
    }
}
