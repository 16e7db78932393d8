package dev.lacuna.app.cli.snapshot;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Thresholds;
import dev.lacuna.core.diagnosis.snapshot.FindingJson;
import dev.lacuna.core.diagnosis.snapshot.Findings;
import dev.lacuna.core.history.Redaction;
import dev.lacuna.core.history.model.DeviceFigures;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.Recording;
import java.util.Locale;

/** An opened recording as {@code snapshot --json} prints it: sizes are integers in bytes. */
final class SnapshotJson {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private SnapshotJson() {}

    /** One document in one line. */
    static String of(Recording recording, Thresholds thresholds) {
        ObjectNode document = NODES.objectNode();
        document.put("format", recording.format());
        document.put("truncated", recording.truncated());
        ArrayNode devices = document.putArray("devices");
        ArrayNode findings = document.putArray("findings");
        for (DeviceHistory device : recording.devices()) {
            if (device.device() == DeviceHistory.HOST) {
                document.set("host", device(device));
            } else {
                devices.add(device(device));
            }
            for (Finding finding : Findings.of(device, recording.annotations(), Redaction.NONE, thresholds)) {
                ObjectNode node = NODES.objectNode().put("device", device.device());
                findings.add(node.setAll(FindingJson.of(finding, Locale.getDefault())));
            }
        }
        return document.toString();
    }

    /** What is printed in its place when a file cannot be read. */
    static String error(String source, String why) {
        return NODES.objectNode().put("source", source).put("error", why).toString();
    }

    private static ObjectNode device(DeviceHistory device) {
        DeviceFigures figures = device.figures();
        ObjectNode node = NODES.objectNode();
        node.put("device", device.device());
        node.put("segments", figures.segments());
        node.put("blocks", figures.blocks());
        node.put("events", device.size());
        node.put("reserved_bytes", figures.reservedBytes());
        node.put("allocated_bytes", figures.allocatedBytes());
        node.put("active_bytes", figures.activeBytes());
        node.put("requested_bytes", figures.requestedBytes());
        node.putObject("gap")
                .put("releasable_bytes", figures.gap().releasableBytes())
                .put("split_bytes", figures.gap().splitBytes())
                .put("pending_bytes", figures.gap().pendingBytes());
        node.put("rounding_bytes", figures.roundingBytes());
        node.put("largest_free_bytes", figures.largestFreeBytes());
        node.put("ooms", figures.ooms());
        return node;
    }
}
