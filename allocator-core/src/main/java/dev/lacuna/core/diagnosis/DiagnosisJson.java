package dev.lacuna.core.diagnosis;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Diagnosis;
import dev.lacuna.core.diagnosis.model.DiagnosisText;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.ListingVerdict;
import dev.lacuna.core.diagnosis.model.Remedy;
import dev.lacuna.core.diagnosis.oom.model.LogContext;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** The contract's JSON of {@code diagnose --json}. Sizes are integers in bytes; what a message does not give is null. */
public final class DiagnosisJson {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private DiagnosisJson() {}

    /**
     * One report.
     *
     * @param source the file's name as given, or {@code -}
     * @param locale language of the remedies' titles and reasons
     */
    public static ObjectNode of(String source, Diagnosis diagnosis, Locale locale) {
        return of(source, diagnosis, List.of(), locale);
    }

    /**
     * One report, with what is said of it across several.
     *
     * @param across findings of {@link Rules} that concern this report
     */
    public static ObjectNode of(String source, Diagnosis diagnosis, List<Finding> across, Locale locale) {
        OomReport report = diagnosis.report();
        ObjectNode node = NODES.objectNode();
        node.put("source", source);
        node.put("line", report.span().line());
        node.put("framework", report.framework().id());
        node.put("device", report.device().orElse(null));
        node.set(
                "rank",
                report.rank().isPresent() ? NODES.numberNode(report.rank().getAsInt()) : NODES.nullNode());
        bytes(node, "tried_bytes", report.triedBytes());
        bytes(node, "total_bytes", report.totalBytes());
        bytes(node, "allocated_bytes", report.allocatedBytes());
        bytes(node, "active_bytes", report.activeBytes());
        bytes(node, "free_bytes", report.freeBytes());
        bytes(node, "reserved_bytes", report.reservedBytes());
        bytes(node, "allowed_bytes", report.allowedBytes());
        bytes(node, "process_bytes", report.processBytes());
        bytes(node, "gap_bytes", diagnosis.gapBytes());
        node.put("gap_over_threshold", diagnosis.gapOverThreshold().orElse(null));
        bytes(node, "outside_bytes", diagnosis.outsideBytes());
        node.put("cause", diagnosis.cause().id());
        ArrayNode also = node.putArray("also");
        diagnosis.also().forEach(cause -> also.add(cause.id()));
        node.put("repeats", report.repeats());
        node.put("memory", memory(report));
        node.put("library", report.library().orElse(null));
        ArrayNode remedies = node.putArray("remedies");
        diagnosis.remedies().forEach(remedy -> remedies.add(remedy(remedy, locale)));
        node.put("confidence", diagnosis.confidence().id());
        ArrayNode findings = node.putArray("findings");
        Stream.concat(diagnosis.findings().stream(), across.stream())
                .forEach(finding -> findings.add(finding(finding, locale)));
        node.put("runner_up", diagnosis.runnerUp().map(Cause::id).orElse(null));
        node.put("threshold_bytes", diagnosis.thresholds().gapBytes());
        node.put("nearly_full", diagnosis.isOfNearlyFullDevice());
        node.set("context", context(report.context()));
        ArrayNode listings = node.putArray("listings");
        report.listings().forEach(listing -> listings.add(ListingJson.of(listing)));
        return node;
    }

    /** A table of memory that stands alone: no report, and without a cause. */
    public static ObjectNode of(String source, ListingVerdict verdict, Locale locale) {
        ObjectNode node = NODES.objectNode();
        node.put("source", source);
        node.setAll(ListingJson.of(verdict.listing()));
        ArrayNode findings = node.putArray("findings");
        verdict.findings().forEach(finding -> findings.add(finding(finding, locale)));
        ArrayNode next = node.putArray("remedies");
        verdict.next().forEach(remedy -> next.add(remedy(remedy, locale)));
        return node;
    }

    private static JsonNode context(LogContext around) {
        if (around.lines().isEmpty()) {
            return NODES.nullNode();
        }
        ObjectNode node = NODES.objectNode();
        node.put("first_line", around.firstLine());
        ArrayNode lines = node.putArray("lines");
        around.lines().forEach(lines::add);
        return node;
    }

    /** Whose memory ran out; null for a library of which the message does not say it. */
    private static String memory(OomReport report) {
        if (report.isOfHost()) {
            return "host";
        }
        return "directml".equals(report.library().orElse("")) ? null : "device";
    }

    private static ObjectNode remedy(Remedy remedy, Locale locale) {
        ObjectNode node = NODES.objectNode();
        node.put("id", remedy.id());
        node.put("title", DiagnosisText.render(locale, remedy.title()));
        node.put("command", remedy.command().orElse(null));
        node.put("why", DiagnosisText.render(locale, remedy.why()));
        bytes(node, "gain_bytes", remedy.gainBytes());
        node.put(
                "gain_from",
                remedy.gainBytes().isPresent()
                        ? DiagnosisText.renderIfThere(locale, remedy.gainBasis())
                                .orElse(null)
                        : null);
        node.put("cost", DiagnosisText.renderIfThere(locale, remedy.cost()).orElse(null));
        node.put(
                "conflicts",
                DiagnosisText.renderIfThere(locale, remedy.conflicts()).orElse(null));
        return node;
    }

    private static ObjectNode finding(Finding finding, Locale locale) {
        ObjectNode node = NODES.objectNode();
        node.put("id", finding.id());
        node.put("confidence", finding.confidence().id());
        node.put("text", DiagnosisText.render(locale, finding.explanation()));
        return node;
    }

    private static void bytes(ObjectNode node, String name, OptionalLong value) {
        node.set(name, value.isPresent() ? NODES.numberNode(value.getAsLong()) : NODES.nullNode());
    }
}
