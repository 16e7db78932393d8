package dev.lacuna.core.diagnosis.snapshot;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lacuna.core.diagnosis.model.DiagnosisText;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Remedy;
import java.util.List;
import java.util.Locale;

/** Findings as {@code snapshot --json} prints them. Sizes are integers in bytes, moments numbers of events. */
public final class FindingJson {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private FindingJson() {}

    /** An array, in the order given. */
    public static ArrayNode of(List<Finding> findings, Locale locale) {
        ArrayNode array = NODES.arrayNode();
        findings.forEach(finding -> array.add(of(finding, locale)));
        return array;
    }

    /** One finding. */
    public static ObjectNode of(Finding finding, Locale locale) {
        ObjectNode node = NODES.objectNode();
        node.put("id", finding.id());
        node.put("weight", finding.severity().name().toLowerCase(Locale.ROOT));
        node.put("title", DiagnosisText.render(locale, finding.summary()));
        node.put("text", DiagnosisText.render(locale, finding.explanation()));
        node.put("bytes", finding.bytes());
        node.put("moment", finding.moment());
        ArrayNode remedies = node.putArray("remedies");
        finding.remedies().forEach(remedy -> remedies.add(remedy(remedy, locale)));
        return node;
    }

    private static ObjectNode remedy(Remedy remedy, Locale locale) {
        ObjectNode node = NODES.objectNode();
        node.put("id", remedy.id());
        node.put("title", DiagnosisText.render(locale, remedy.title()));
        node.put("command", remedy.command().orElse(null));
        node.put("why", DiagnosisText.render(locale, remedy.why()));
        return node;
    }
}
