package dev.lacuna.ui.places.planner.estimate;

import dev.lacuna.core.estimate.input.Arguments;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javafx.beans.Observable;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;

/** Layout and training as an operator overrides them; an empty field means what the input says. */
final class RunFields {
    /** Fields that take a number, under Megatron's names. */
    static final Map<String, String> NUMBERS = numbers();
    /** Fields that take one of a few words. */
    static final Map<String, List<String>> CHOICES = choices();

    private final Map<String, StringProperty> values = new LinkedHashMap<>();
    private Arguments further = new Arguments(Map.of());

    RunFields() {
        NUMBERS.keySet().forEach(name -> values.put(name, new SimpleStringProperty("")));
        CHOICES.keySet().forEach(name -> values.put(name, new SimpleStringProperty("")));
    }

    /** What this field holds. */
    StringProperty value(String name) {
        return values.get(name);
    }

    /** All of them, to listen to. */
    Observable[] observables() {
        return values.values().toArray(Observable[]::new);
    }

    /** Whether a field that takes a number holds one, or nothing. */
    static boolean valid(String text) {
        return text.isBlank() || text.strip().matches("[1-9]\\d{0,8}");
    }

    /** Whether all of them do. */
    boolean valid() {
        return NUMBERS.keySet().stream().allMatch(name -> valid(values.get(name).get()));
    }

    /** Takes these arguments along, beside what the fields hold; those of before are forgotten. */
    void setFurther(Arguments arguments) {
        further = arguments;
    }

    /** Forgets everything. */
    void clear() {
        further = new Arguments(Map.of());
        values.values().forEach(value -> value.set(""));
    }

    /** What they say, as Megatron's arguments. */
    Arguments arguments() {
        Map<String, String> found = new LinkedHashMap<>(further.values());
        NUMBERS.forEach((name, argument) -> {
            String text = values.get(name).get().strip();
            if (!text.isEmpty() && valid(text)) {
                found.put(argument, text);
            }
        });
        values.forEach((name, value) -> found.putAll(choice(name, value.get())));
        return new Arguments(found);
    }

    private static Map<String, String> choice(String name, String value) {
        return switch (name + "=" + value) {
            case "precision=bf16" -> Map.of("bf16", "true", "fp16", "false");
            case "precision=fp16" -> Map.of("bf16", "false", "fp16", "true");
            case "precision=fp32" -> Map.of("bf16", "false", "fp16", "false");
            case "optimizer=adam" -> Map.of("optimizer", "adam");
            case "optimizer=momentum" -> Map.of("optimizer", "sgd");
            case "zero=0", "zero=1", "zero=2", "zero=3" -> Map.of("zero-stage", value);
            case "attention=flash" -> Map.of("use-flash-attn", "true");
            case "attention=unfused" -> Map.of("use-flash-attn", "false", "attention-backend", "unfused");
            case "recompute=none" -> Map.of("recompute-granularity", "none", "recompute-activations", "false");
            case "recompute=selective" -> Map.of("recompute-granularity", "selective");
            case "recompute=full" -> Map.of("recompute-granularity", "full", "recompute-method", "uniform");
            case "swap=none" -> Map.of("swap-attention", "false", "swap-optimizer", "false");
            case "swap=attention" -> Map.of("swap-attention", "true", "swap-optimizer", "false");
            case "swap=optimizer" -> Map.of("swap-attention", "false", "swap-optimizer", "true");
            case "swap=both" -> Map.of("swap-attention", "true", "swap-optimizer", "true");
            case "sequence=on" -> Map.of("sequence-parallel", "true");
            case "sequence=off" -> Map.of("sequence-parallel", "false");
            default -> Map.of();
        };
    }

    private static Map<String, String> numbers() {
        Map<String, String> numbers = new LinkedHashMap<>();
        numbers.put("tp", "tensor-model-parallel-size");
        numbers.put("pp", "pipeline-model-parallel-size");
        numbers.put("vpp", "num-virtual-stages-per-pipeline-rank");
        numbers.put("cp", "context-parallel-size");
        numbers.put("ep", "expert-model-parallel-size");
        numbers.put("dp", "data-parallel-size");
        numbers.put("micro", "micro-batch-size");
        numbers.put("global", "global-batch-size");
        numbers.put("seq", "seq-length");
        return numbers;
    }

    private static Map<String, List<String>> choices() {
        Map<String, List<String>> choices = new LinkedHashMap<>();
        choices.put("precision", List.of("", "bf16", "fp16", "fp32"));
        choices.put("optimizer", List.of("", "adam", "momentum"));
        choices.put("zero", List.of("", "0", "1", "2", "3"));
        choices.put("attention", List.of("", "flash", "unfused"));
        choices.put("recompute", List.of("", "none", "selective", "full"));
        choices.put("swap", List.of("", "none", "attention", "optimizer", "both"));
        choices.put("sequence", List.of("", "on", "off"));
        return choices;
    }
}
