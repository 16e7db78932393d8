package dev.lacuna.app.cli.snapshot;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lacuna.app.cli.output.BarsImage;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.CurveImage;
import dev.lacuna.app.cli.output.FlameImage;
import dev.lacuna.app.cli.output.JsonLine;
import dev.lacuna.app.cli.output.MapImage;
import dev.lacuna.app.cli.output.TableOutput;
import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.diagnosis.report.ReportTables;
import dev.lacuna.core.diagnosis.report.ReportText;
import dev.lacuna.core.diagnosis.report.Table;
import dev.lacuna.core.diagnosis.report.TableText;
import dev.lacuna.core.history.Redaction;
import dev.lacuna.core.history.attribution.BlockQuery;
import dev.lacuna.core.history.attribution.FoundBlocks;
import dev.lacuna.core.history.attribution.FrameTree;
import dev.lacuna.core.history.attribution.LifetimeClass;
import dev.lacuna.core.history.attribution.LifetimeClasses;
import dev.lacuna.core.history.attribution.RecordedSteps;
import dev.lacuna.core.history.attribution.SizeHistogram;
import dev.lacuna.core.history.attribution.StackBytes;
import dev.lacuna.core.history.attribution.StackTree;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.Recording;
import dev.lacuna.core.history.timeline.Rewind;
import dev.lacuna.core.history.timeline.Timeline;
import dev.lacuna.ui.places.recording.map.Colouring;
import dev.lacuna.ui.places.recording.map.RecordedMap;
import dev.lacuna.ui.places.recording.map.SegmentOrder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What the tabs beside the window's block map show, as tables: stacks, sizes, blocks that were searched, and the curve. */
final class SnapshotTables {
    /** Moments of a curve: what a spreadsheet still opens. */
    private static final int MOST_MOMENTS = 100_000;

    private static final int USUAL_ROWS = 20;

    @Option(names = "--stacks")
    private boolean stacks;

    @Option(names = "--sizes")
    private boolean sizes;

    @Option(names = "--search", paramLabel = "QUERY")
    private Optional<String> search = Optional.empty();

    @Option(names = "--curve")
    private boolean curve;

    @Option(names = "--map")
    private boolean map;

    @Option(names = "--colour", paramLabel = "WHAT")
    private Optional<Colouring> colour = Optional.empty();

    @Option(names = "--all")
    private boolean all;

    @Option(names = "--rows", paramLabel = "N")
    private Optional<Integer> rows = Optional.empty();

    @Option(names = "--png", paramLabel = "FILE")
    private Optional<Path> png = Optional.empty();

    @Mixin
    private TableOutput output = new TableOutput();

    /** Whether one is asked for. */
    boolean isAsked() {
        return count() > 0;
    }

    private long count() {
        return Stream.of(stacks, sizes, search.isPresent(), curve, map)
                .filter(asked -> asked)
                .count();
    }

    private String name() {
        return stacks ? "stacks" : sizes ? "sizes" : curve ? "curve" : map ? "map" : "blocks";
    }

    private boolean isSaved() {
        return png.isPresent() || output.isAsked();
    }

    /** Why what was said beside makes no sense; empty where it does. */
    Optional<String> fault(ChosenMoment at) {
        boolean refined = at.isGiven() || all || rows.isPresent() || isSaved();
        if (count() > 1 || refined && !isAsked() || all && search.isEmpty() || colour.isPresent() && !map) {
            return Optional.of(CliText.text("snapshot.tables.which"));
        }
        if (rows.isPresent() && rows.get() < 1 || at.isNegative()) {
            return Optional.of(CliText.text("snapshot.tables.numbers"));
        }
        return png.isPresent() && search.isPresent()
                ? Optional.of(CliText.text("snapshot.tables.picture"))
                : Optional.empty();
    }

    /** The same where no table is asked for, whatever moment is chosen. */
    Optional<String> unasked() {
        return all || rows.isPresent() || isSaved() || colour.isPresent()
                ? Optional.of(CliText.text("snapshot.tables.which"))
                : Optional.empty();
    }

    /** Prints the table, or writes its files. */
    void print(Recording recording, ChosenMoment at, boolean json) {
        DeviceHistory history = at.history(recording);
        int moment = at.of(history);
        ReportText texts = new ReportText(Locale.getDefault());
        boolean whole = json || output.isAsked(); // A picture alone needs no row.
        int limit = rows.orElse(whole ? Integer.MAX_VALUE : USUAL_ROWS);
        Optional<FoundBlocks> found = found(history, moment, limit);
        Table table = table(recording, history, moment, limit, texts, found);
        output.write(table);
        png.ifPresent(file -> TableOutput.save(file, picture(recording, history, moment)));
        if (json) {
            JsonLine.print(System.out, JsonLine.of(out -> document(out, history, moment, table, found)));
        } else if (!isSaved()) {
            System.out.print(TableText.plain(table));
            found.ifPresent(blocks -> System.out.println(
                    CliText.text("snapshot.tables.found", blocks.count(), ByteSize.format(blocks.bytes()))));
        }
    }

    /** What the window draws of the same. */
    private byte[] picture(Recording recording, DeviceHistory history, int moment) {
        if (stacks) {
            FrameTree shape = FrameTree.of(history.stacks(), FrameTree.Direction.TOP_DOWN);
            return FlameImage.png(StackTree.of(shape, StackBytes.at(history, moment)));
        }
        if (curve) {
            return CurveImage.png(Timeline.of(history));
        }
        if (map) {
            return MapImage.png(RecordedMap.at(
                    recording,
                    history,
                    new Rewind(history).at(moment),
                    colour.orElse(Colouring.LIFETIME),
                    SegmentOrder.ADDRESS));
        }
        ReportText texts = new ReportText(Locale.getDefault());
        return BarsImage.png(
                Stream.of(LifetimeClass.values())
                        .map(lifetime -> texts.get("lifetime." + lifetime.id()))
                        .toList(),
                histogram(recording, history, moment).bins().stream()
                        .map(bin -> new BarsImage.Bar(
                                "≥ " + ByteSize.format(bin.fromBytes()),
                                bin.shares().stream()
                                        .map(SizeHistogram.Share::bytes)
                                        .toList()))
                        .toList());
    }

    private static SizeHistogram histogram(Recording recording, DeviceHistory history, int moment) {
        LifetimeClasses lifetimes =
                LifetimeClasses.of(history, RecordedSteps.of(recording.annotations(), history.device()));
        return SizeHistogram.at(history, lifetimes, moment);
    }

    private void document(
            JsonGenerator out, DeviceHistory history, int moment, Table table, Optional<FoundBlocks> found)
            throws IOException {
        out.writeStartObject();
        out.writeStringField("table", name());
        out.writeNumberField("device", history.device());
        out.writeNumberField("moment", moment);
        if (found.isPresent()) {
            out.writeNumberField("count", found.get().count());
            out.writeNumberField("found_bytes", found.get().bytes());
        }
        TableOutput.rows(out, table);
        out.writeEndObject();
    }

    private Optional<FoundBlocks> found(DeviceHistory history, int moment, int limit) {
        return search.map(BlockQuery::parse)
                .map(query ->
                        all ? FoundBlocks.all(history, query, limit) : FoundBlocks.live(history, query, moment, limit));
    }

    private Table table(
            Recording recording,
            DeviceHistory history,
            int moment,
            int limit,
            ReportText texts,
            Optional<FoundBlocks> found) {
        if (found.isPresent()) {
            return ReportTables.blocks(found.get(), texts);
        }
        if (stacks) {
            return ReportTables.stacks(history, StackBytes.at(history, moment), limit, texts, Redaction.NONE);
        }
        if (map) {
            return ReportTables.map(new Rewind(history).at(moment), limit, texts);
        }
        if (curve) {
            return ReportTables.series(Timeline.of(history), Math.min(limit, MOST_MOMENTS));
        }
        return ReportTables.sizes(histogram(recording, history, moment), texts);
    }
}
