package dev.lacuna.core.planning;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lacuna.core.estimate.EstimateJson;
import java.util.Locale;

/** An estimate from a trace as JSON; the contract is in docs/cli.md. */
public final class TraceEstimateJson {
    private TraceEstimateJson() {}

    /** A peak for each rule. */
    public static ObjectNode of(TraceEstimate estimate, Locale locale) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        ObjectNode peaks = node.putObject("peaks");
        estimate.peaks().forEach((rule, term) -> peaks.set(rule.id(), EstimateJson.term(term, locale)));
        return node;
    }
}
