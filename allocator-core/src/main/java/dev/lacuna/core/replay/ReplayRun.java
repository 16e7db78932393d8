package dev.lacuna.core.replay;

import dev.lacuna.core.allocator.model.Allocator;
import dev.lacuna.core.allocator.model.AllocatorPolicy;
import dev.lacuna.core.allocator.model.Device;
import dev.lacuna.core.allocator.model.Outcome;
import dev.lacuna.core.allocator.model.Peaks;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.base.event.OpeningMemory;
import dev.lacuna.core.trace.model.TraceChunk;
import dev.lacuna.core.trace.model.TraceCursor;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** One policy on one device, fed with a trace chunk by chunk. Not thread-safe. */
final class ReplayRun {
    private final AllocatorPolicy policy;
    private final ReplaySettings settings;
    private final ReplayListener listener;
    private final Allocator allocator;

    private final OpeningUse openingUse;

    /** The first rows ask for this many blocks that the allocator has already. */
    private final int held;

    private long events;

    /** The event that was the first request to fail; 0 when none did. */
    private long firstOom;

    /** The lowest share of the device that the trace allowed so far. */
    private double lowestCap = 1;

    /**
     * @param policy a policy that needs no more foresight
     * @param recordedBytes the capacity that the trace tells
     * @param opening what was held when the recording began, where the trace tells
     */
    ReplayRun(
            AllocatorPolicy policy,
            ReplaySettings settings,
            OptionalLong recordedBytes,
            Optional<OpeningMemory> opening,
            ReplayListener listener) {
        this.policy = policy;
        this.settings = settings;
        this.listener = listener;
        allocator = policy.on(Device.ofCapacity(settings.capacityFor(recordedBytes)));
        settings.fraction().ifPresent(allocator::fraction);
        boolean fits = opening.isEmpty()
                || (settings.scale() == 1 && opening.get().reservedBytes() <= settings.limitFor(recordedBytes));
        boolean adopted = fits && opening.isPresent() && allocator.adopt(opening.get());
        openingUse = adopted ? OpeningUse.TAKEN_OVER : fits ? OpeningUse.ASKED_FOR : OpeningUse.DOES_NOT_FIT;
        held = adopted ? opening.get().liveBlocks() : 0;
        listener.onStart(recordedBytes);
    }

    /** Replays these rows, which follow those that were fed before. */
    void feed(TraceChunk rows) {
        for (int row = 0; row < rows.size(); row++) {
            Outcome outcome = Outcome.EMPTY;
            switch (rows.operation(row)) {
                case ALLOC -> {
                    outcome = rows.firstRow() + row < held
                            ? Outcome.PLACED
                            : allocator.allocate(rows.block(row), settings.scaled(rows.bytes(row)), rows.stream(row));
                    events++;
                    if (outcome == Outcome.OUT_OF_MEMORY && firstOom == 0) {
                        firstOom = events;
                    }
                }
                case FREE -> {
                    allocator.free(rows.block(row));
                    events++;
                }
                default -> command(rows.operation(row), rows, row);
            }
            listener.onRow(rows, row, outcome, allocator);
        }
    }

    /** Requests that have failed for good so far. */
    long ooms() {
        return allocator.counters().ooms();
    }

    /**
     * What the policy has made of the rows so far.
     *
     * @param trace where they came from, which says whether it ended early and what of it was odd
     */
    ReplayResult result(TraceCursor trace) {
        MemoryCounters counters = allocator.counters();
        Peaks peaks = allocator.peaks();
        return new ReplayResult(
                policy.name(),
                events,
                peaks.requestedBytes(),
                peaks.allocatedBytes(),
                peaks.reservedBytes(),
                counters.ooms(),
                counters.retries(),
                peaks.pieces(),
                counters.remaps(),
                counters.step(),
                firstOom == 0 ? OptionalLong.empty() : OptionalLong.of(firstOom),
                openingUse,
                trace.truncated(),
                trace.odd(),
                allocator.flushes(),
                lowestCap < 1 ? OptionalDouble.of(lowestCap) : OptionalDouble.empty());
    }

    private void command(EventKind operation, TraceChunk rows, int row) {
        switch (operation) {
            case PHASE -> allocator.phase(rows.phase(row), rows.begins(row));
            case EMPTY_CACHE -> allocator.emptyCache();
            case OUTSIDE -> allocator.setOutsideBytes(rows.bytes(row));
            case LIMIT -> {
                if (settings.fraction().isEmpty()) {
                    allocator.fraction(rows.fraction(row));
                    lowestCap = Math.min(lowestCap, rows.fraction(row));
                }
            }
            default -> {} // no command to the allocator as a whole
        }
    }
}
