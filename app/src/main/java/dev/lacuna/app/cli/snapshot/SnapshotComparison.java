package dev.lacuna.app.cli.snapshot;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.TextTable;
import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.history.attribution.TellingFrame;
import dev.lacuna.core.history.compare.Comparison;
import dev.lacuna.core.history.compare.Difference;
import dev.lacuna.core.history.compare.Side;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.Recording;
import dev.lacuna.core.trace.snapshot.model.Frame;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code lacuna snapshot A --compare B}, {@code --since EVENT}: two recordings, or two moments of one, side by side. */
final class SnapshotComparison {
    /** Stacks in the text: the largest changes. */
    private static final int MOST_STACKS = 20;

    private final String a;
    private final String b;
    private final Map<Integer, Comparison> devices = new LinkedHashMap<>();

    private SnapshotComparison(String a, String b) {
        this.a = a;
        this.b = b;
    }

    /** The ends of two recordings, device by device. */
    static SnapshotComparison ofEnds(Recording a, Recording b) {
        SnapshotComparison ends = new SnapshotComparison(a.source(), b.source());
        for (DeviceHistory base : a.devices()) {
            for (DeviceHistory other : b.devices()) {
                if (base.device() == other.device() && !(base.isEmpty() && other.isEmpty())) {
                    ends.devices.put(
                            base.device(), Comparison.of(Side.atEnd(a.source(), base), Side.atEnd(b.source(), other)));
                }
            }
        }
        return ends;
    }

    /** Two moments of one device of a recording. */
    static SnapshotComparison ofMoments(Recording recording, ChosenMoment chosen, int since) {
        DeviceHistory history = chosen.history(recording);
        String source = recording.source();
        SnapshotComparison moments = new SnapshotComparison(source, source);
        moments.devices.put(
                history.device(),
                Comparison.of(
                        new Side(source, history, ChosenMoment.within(history, since)),
                        new Side(source, history, chosen.of(history))));
        return moments;
    }

    /** The one document. */
    ObjectNode json() {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("a", a);
        node.put("b", b);
        ArrayNode list = node.putArray("devices");
        devices.forEach((device, comparison) -> list.add(ComparisonJson.of(device, comparison)));
        return node;
    }

    /** Sums, matched blocks, and the stacks that changed most. */
    String text() {
        List<String> parts = new ArrayList<>();
        parts.add(CliText.text("compare.head", a, b));
        devices.forEach((device, comparison) -> {
            parts.add(CliText.text(
                    "compare.device",
                    Integer.toString(device),
                    comparison.a().moment(),
                    comparison.b().moment()));
            parts.add(sums(comparison));
            parts.add(CliText.text(
                    "compare.blocks",
                    Long.toString(comparison.blocks().heldOnlyA().count()),
                    ByteSize.format(comparison.blocks().heldOnlyA().bytes()),
                    Long.toString(comparison.blocks().heldBoth().count()),
                    ByteSize.format(comparison.blocks().heldBoth().bytes()),
                    Long.toString(comparison.blocks().heldOnlyB().count()),
                    ByteSize.format(comparison.blocks().heldOnlyB().bytes())));
            parts.add(stacks(comparison));
        });
        return String.join("\n\n", parts);
    }

    private static String sums(Comparison comparison) {
        TextTable table = TextTable.ofFigures();
        table.add(List.of("", "A", "B", CliText.text("compare.change")));
        table.add(row(CliText.text("compare.reserved"), comparison.reserved()));
        table.add(row(CliText.text("compare.allocated"), comparison.allocated()));
        return table.text();
    }

    private static String stacks(Comparison comparison) {
        TextTable table = TextTable.ofFigures();
        table.add(List.of(CliText.text("compare.stack"), "A", "B", CliText.text("compare.change")));
        comparison.stacks().stream()
                .filter(d -> d.bytes() != 0)
                .limit(MOST_STACKS)
                .forEach(d -> table.add(row(place(d.key()), d)));
        return table.text();
    }

    private static List<String> row(String name, Difference<?> d) {
        String sign = d.bytes() > 0 ? "+" : "";
        return List.of(
                name,
                ByteSize.format(d.a().bytes()),
                ByteSize.format(d.b().bytes()),
                sign + ByteSize.format(d.bytes()));
    }

    private static String place(List<Frame> frames) {
        return TellingFrame.of(frames)
                .map(TellingFrame::brief)
                .map(f -> f.file().isEmpty() ? f.function() : f.function() + " " + f.file() + ":" + f.line())
                .orElse(CliText.text("compare.no.stack"));
    }
}
