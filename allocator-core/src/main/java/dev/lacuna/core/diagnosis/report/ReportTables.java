package dev.lacuna.core.diagnosis.report;

import dev.lacuna.core.history.Redaction;
import dev.lacuna.core.history.attribution.LifetimeClass;
import dev.lacuna.core.history.attribution.SizeHistogram;
import dev.lacuna.core.history.attribution.StackBytes;
import dev.lacuna.core.history.attribution.TellingFrame;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.MemoryAtMoment;
import dev.lacuna.core.history.timeline.Timeline;
import dev.lacuna.core.history.timeline.TimelineReader;
import dev.lacuna.core.trace.snapshot.model.CallStacks;
import dev.lacuna.core.trace.snapshot.model.Frame;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The tables of reports and exports. */
public final class ReportTables {
    /** Stacks in a report: more nobody reads. */
    static final int MOST_ROWS = 25;

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
