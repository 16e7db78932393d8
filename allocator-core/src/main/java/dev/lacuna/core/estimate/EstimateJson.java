package dev.lacuna.core.estimate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lacuna.core.estimate.formula.StageMemory;
import dev.lacuna.core.estimate.input.EstimateNote;
import dev.lacuna.core.estimate.term.Term;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** The contract's JSON of {@code estimate --json}. */
public final class EstimateJson {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private EstimateJson() {}

    /**
     * An estimate with what somebody should know of its input.
     *
     * @param capacity memory of a device, to say whether the run fits
     */
    public static ObjectNode of(Estimate estimate, OptionalLong capacity, List<EstimateNote> notes, Locale locale) {
        ObjectNode node = of(estimate, capacity, locale);
        ArrayNode reported = node.putArray("notes");
        notes.forEach(note -> reported.add(note.text(locale)));
        return node;
    }

    /** @param capacity memory of a device, to say whether the run fits */
    public static ObjectNode of(Estimate estimate, OptionalLong capacity, Locale locale) {
        ObjectNode node = NODES.objectNode();
        node.put("parameters", estimate.parameters().rounded());
        node.put("active_parameters", estimate.activeParameters().rounded());
        node.put("flops_per_step", estimate.flops().value());
        node.put("devices", estimate.configuration().layout().world());
        node.put("binding_stage", estimate.binding().stage());
        node.put("peak_bytes", estimate.binding().memory().rounded());
        if (capacity.isPresent()) {
            node.put("capacity_bytes", capacity.getAsLong());
            node.put("fits", estimate.binding().memory().value() <= capacity.getAsLong());
        }
        ArrayNode stages = node.putArray("stages");
        for (StageMemory stage : estimate.stages()) {
            ObjectNode one = stages.addObject();
            one.put("stage", stage.stage());
            one.put("layers", stage.layers().size());
            one.put("in_flight", stage.inFlight());
            one.put("parameters", stage.parameters().rounded());
            one.put("peak_bytes", stage.memory().rounded());
            one.put("host_bytes", Math.round(stage.hostBytes()));
            one.set("terms", term(stage.memory(), locale));
            ArrayNode others = one.putArray("other_terms");
            stage.beside().forEach(term -> others.add(term(term, locale)));
        }
        ArrayNode terms = node.putArray("terms");
        estimate.ofModel().forEach(term -> terms.add(term(term, locale)));
        return node;
    }

    /** A stage of an estimate held against what was measured. */
    public static ObjectNode of(Calibration calibration, Estimate estimate, Locale locale) {
        ObjectNode node = NODES.objectNode();
        node.put("stage", calibration.stage());
        node.put("estimated_bytes", Math.round(calibration.estimatedBytes()));
        node.put("measured_bytes", calibration.measured().allocatedBytes());
        node.put("gap_bytes", calibration.gapBytes());
        node.put("outside_bytes", calibration.measured().outsideBytes());
        node.put("device_bytes", Math.round(calibration.deviceBytes()));
        node.put("difference", calibration.difference());
        node.put("agrees", calibration.agrees());
        if (calibration.isOtherModel()) {
            node.put("other_model", true);
        }
        calibration
                .overheadBytes(estimate.configuration().training().overheadBytes())
                .ifPresent(bytes -> node.put("overhead_bytes", bytes));
        ArrayNode explanations = node.putArray("explanations");
        for (Calibration.Explanation explanation : calibration.explanations()) {
            ObjectNode one = explanations.addObject();
            one.put("key", explanation.key());
            one.put("text", explanation.text(locale));
            one.put("estimated_bytes", Math.round(explanation.bytes()));
            ObjectNode arguments = one.putObject("arguments");
            explanation.arguments().values().forEach(arguments::put);
        }
        return node;
    }

    /** A term with all below it. */
    public static ObjectNode term(Term term, Locale locale) {
        ObjectNode node = NODES.objectNode();
        node.put("key", term.key());
        node.put("name", term.name(locale));
        switch (term.unit()) {
            case BYTES -> node.put("value_bytes", term.rounded());
            case PARAMETERS -> node.put("value_parameters", term.rounded());
            case MICRO_BATCHES -> node.put("value_micro_batches", term.value());
            case FLOPS -> node.put("value_flops", term.value());
        }
        node.put("formula", term.formula(locale));
        node.put("source", term.source().reference(locale));
        if (!term.parts().isEmpty()) {
            ArrayNode parts = node.putArray("parts");
            term.parts().forEach(part -> parts.add(term(part, locale)));
        }
        return node;
    }
}
