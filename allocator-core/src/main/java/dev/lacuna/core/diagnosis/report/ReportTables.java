package dev.lacuna.core.diagnosis.report;

import dev.lacuna.core.base.counters.PoolName;
import dev.lacuna.core.history.Redaction;
import dev.lacuna.core.history.attribution.FoundBlocks;
import dev.lacuna.core.history.attribution.LifetimeClass;
import dev.lacuna.core.history.attribution.SizeHistogram;
import dev.lacuna.core.history.attribution.StackBytes;
import dev.lacuna.core.history.attribution.TellingFrame;
import dev.lacuna.core.history.mirror.LiveBlocks;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.MemoryAtMoment;
import dev.lacuna.core.history.model.Moment;
import dev.lacuna.core.history.timeline.Timeline;
import dev.lacuna.core.history.timeline.TimelineReader;
import dev.lacuna.core.trace.snapshot.model.CallStacks;
import dev.lacuna.core.trace.snapshot.model.Frame;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The tables of reports and exports. */
public final class ReportTables {
    /** Stacks in a report: more nobody reads. */
    static final int MOST_ROWS = 25;

    private static final long NS_A_MS = 1_000_000;
    private static final double MS_A_SECOND = 1_000;

    private ReportTables() {}

    /**
     * Stacks by what they hold, the most first.
     *
     * @param limit at most so many rows
     */
    public static Table stacks(
            DeviceHistory history, StackBytes held, int limit, ReportText texts, Redaction redaction) {
        List<Table.Column> columns = List.of(
                new Table.Column("live_bytes", texts.get("bytes"), true),
                new Table.Column("blocks", texts.get("blocks"), true),
                new Table.Column("line", texts.get("line"), false),
                new Table.Column("stack", texts.get("stack"), false));
        List<List<Table.Cell>> rows = IntStream.range(0, held.stacks())
                .filter(s -> held.bytes(s) != 0)
                .boxed()
                .sorted(Comparator.<Integer>comparingLong(s -> -held.bytes(s)).thenComparing(Comparator.naturalOrder()))
                .limit(limit)
                .map(s -> List.of(
                        Table.Cell.bytes(held.bytes(s)),
                        Table.Cell.of(held.blocks(s)),
                        Table.Cell.of(telling(history, s, texts, redaction)),
                        stack(history, s, redaction)))
                .toList();
        return new Table(columns, rows);
    }

    /** Blocks that were found, the largest first. */
    public static Table blocks(FoundBlocks found, ReportText texts) {
        DeviceHistory history = found.history();
        List<Table.Column> columns = List.of(
                new Table.Column("block_bytes", texts.get("bytes"), true),
                new Table.Column("requested_bytes", texts.get("requested"), true),
                new Table.Column("address", texts.get("address"), false),
                new Table.Column("stream", texts.get("stream"), true),
                new Table.Column("born_event", texts.get("born"), true),
                new Table.Column("freed_event", texts.get("freed"), true),
                new Table.Column("line", texts.get("line"), false));
        return new Table(
                columns,
                found.largest().stream()
                        .map(a -> List.of(
                                Table.Cell.bytes(history.bytesOf(a)),
                                Table.Cell.bytes(history.requestedOf(a)),
                                Table.Cell.of("0x" + Long.toHexString(history.addressOf(a))),
                                Table.Cell.of(history.streamOf(a)),
                                event(history.bornAt(a), 0, history.size()),
                                event(history.freedAt(a), 0, history.size()),
                                Table.Cell.of(telling(history, StackBytes.stackOf(history, a), texts, Redaction.NONE))))
                        .toList());
    }

    /** What lies where at a moment of a recording, by segment and address. */
    public static Table map(Moment moment, int limit, ReportText texts) {
        List<Table.Column> columns = List.of(
                new Table.Column("segment", texts.get("segment"), false),
                new Table.Column("segment_bytes", texts.get("segment.bytes"), true),
                new Table.Column("address", texts.get("address"), false),
                new Table.Column("piece_bytes", texts.get("bytes"), true),
                new Table.Column("kind", texts.get("kind"), false));
        return new Table(
                columns,
                IntStream.range(0, moment.segments().size())
                        .boxed()
                        .flatMap(s -> IntStream.range(moment.firstPiece(s), moment.endPiece(s))
                                .mapToObj(p -> piece(moment, s, p)))
                        .limit(limit)
                        .toList());
    }

    private static List<Table.Cell> piece(Moment moment, int segment, int p) {
        return List.of(
                Table.Cell.of("0x" + Long.toHexString(moment.segments().address(segment))),
                Table.Cell.bytes(moment.segments().totalBytes(segment)),
                Table.Cell.of("0x" + Long.toHexString(moment.address(p))),
                Table.Cell.bytes(moment.bytes(p)),
                Table.Cell.of(
                        switch (moment.state(p)) {
                            case ACTIVE -> "block";
                            case PENDING -> "pending";
                            case HOLE -> "hole";
                        }));
    }

    /**
     * What lies where in a running process, the largest first.
     *
     * @param limit at most so many rows
     */
    public static Table live(LiveBlocks live, int limit, ReportText texts) {
        List<Table.Column> columns = List.of(
                new Table.Column("piece_bytes", texts.get("bytes"), true),
                new Table.Column("requested_bytes", texts.get("requested"), true),
                new Table.Column("address", texts.get("address"), false),
                new Table.Column("kind", texts.get("kind"), false),
                new Table.Column("pool", texts.get("pool"), false),
                new Table.Column("age_ms", texts.get("age"), true));
        LiveBlocks.Pieces pieces = live.pieces();
        return new Table(
                columns,
                IntStream.range(0, pieces.size())
                        .boxed()
                        .sorted(Comparator.comparingLong((Integer p) -> -pieces.bytes(p)))
                        .limit(limit)
                        .map(p -> piece(live, p))
                        .toList());
    }

    private static List<Table.Cell> piece(LiveBlocks live, int p) {
        LiveBlocks.Pieces pieces = live.pieces();
        boolean block = pieces.kind(p) == LiveBlocks.Kind.BLOCK;
        boolean aged = block && !pieces.isFromBefore(p);
        long ageMs = aged ? Math.max(0, live.timeNs() - pieces.bornNs(p)) / NS_A_MS : 0;
        return List.of(
                Table.Cell.bytes(pieces.bytes(p)),
                block ? Table.Cell.bytes(pieces.requested(p)) : Table.Cell.of(""),
                Table.Cell.of("0x" + Long.toHexString(pieces.address(p))),
                Table.Cell.of(pieces.kind(p).name().toLowerCase(Locale.ROOT)),
                Table.Cell.of(pieces.pool(p).map(PoolName::label).orElse("")),
                aged
                        ? new Table.Cell(
                                String.format(Locale.ROOT, "%.2f s", ageMs / MS_A_SECOND), Long.toString(ageMs))
                        : Table.Cell.of(""));
    }

    /** The number of an event; nothing where it lies outside the recording. */
    private static Table.Cell event(int event, int first, int end) {
        return Table.Cell.of(event < first || event >= end ? "" : Integer.toString(event));
    }

    /** Sizes by lifetime. */
    public static Table sizes(SizeHistogram histogram, ReportText texts) {
        List<Table.Column> columns = new ArrayList<>();
        columns.add(new Table.Column("from_bytes", texts.get("size.from"), true));
        for (LifetimeClass lifetime : LifetimeClass.values()) {
            columns.add(new Table.Column(lifetime.id() + "_bytes", texts.get("lifetime." + lifetime.id()), true));
        }
        columns.add(new Table.Column("blocks", texts.get("blocks"), true));
        List<List<Table.Cell>> rows = new ArrayList<>();
        for (SizeHistogram.Bin bin : histogram.bins()) {
            List<Table.Cell> row = new ArrayList<>(List.of(Table.Cell.bytes(bin.fromBytes())));
            bin.shares().forEach(share -> row.add(Table.Cell.bytes(share.bytes())));
            row.add(Table.Cell.of(bin.blocks()));
            rows.add(row);
        }
        return new Table(columns, rows);
    }

    /**
     * Reserved, allocated and the gap's parts at evenly spaced moments.
     *
     * @param most at most so many rows
     */
    public static Table series(Timeline timeline, int most) {
        List<Table.Column> columns = List.of(
                        "moment",
                        "reserved_bytes",
                        "allocated_bytes",
                        "releasable_bytes",
                        "split_bytes",
                        "pending_bytes")
                .stream()
                .map(id -> new Table.Column(id, id, true))
                .toList();
        TimelineReader reader = timeline.reader();
        int rows = Math.min(most, timeline.size() + 1);
        return new Table(
                columns,
                IntStream.range(0, rows)
                        .map(r -> rows == 1 ? 0 : (int) ((long) r * timeline.size() / (rows - 1)))
                        .mapToObj(reader::at)
                        .map(ReportTables::row)
                        .toList());
    }

    private static List<Table.Cell> row(MemoryAtMoment memory) {
        return List.of(
                Table.Cell.of(memory.moment()),
                Table.Cell.bytes(memory.reserved()),
                Table.Cell.bytes(memory.allocated()),
                Table.Cell.bytes(memory.gap().releasableBytes()),
                Table.Cell.bytes(memory.gap().splitBytes()),
                Table.Cell.bytes(memory.gap().pendingBytes()));
    }

    private static String telling(DeviceHistory history, int stack, ReportText texts, Redaction redaction) {
        return TellingFrame.of(frames(history, stack))
                .map(frame -> redaction.frame(redaction.redacts() ? frame : TellingFrame.brief(frame)))
                .orElse(texts.get("no.stack"));
    }

    /** All of a stack for programs; for people how deep it is. */
    private static Table.Cell stack(DeviceHistory history, int stack, Redaction redaction) {
        List<Frame> frames = frames(history, stack);
        return new Table.Cell(
                Integer.toString(frames.size()),
                frames.stream().map(redaction::frame).collect(Collectors.joining(" < ")));
    }

    private static List<Frame> frames(DeviceHistory history, int stack) {
        return stack == CallStacks.EMPTY ? List.of() : history.stacks().stack(stack);
    }
}
