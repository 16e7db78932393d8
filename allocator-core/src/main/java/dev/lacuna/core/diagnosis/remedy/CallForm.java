package dev.lacuna.core.diagnosis.remedy;

import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.oom.model.Trait;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Options of a command line as the arguments of a call, where the log shows that a script in Python makes one. */
final class CallForm {
    /** What llama.cpp's command line and its binding for Python call differently. */
    private static final Map<String, String> LLAMA =
            Map.of("ctx_size", "n_ctx", "ubatch_size", "n_ubatch", "n_gpu_layers", "n_gpu_layers");

    private static final List<String> CALLS = List.of(" LLM(", "=LLM(", "LLM.__init__");

    private CallForm() {}

    /** This command as whoever reads the log has to write it. */
    static String of(Evidence e, String options) {
        boolean vllm = e.report().context().lines().stream()
                .anyMatch(line -> CALLS.stream().anyMatch(line::contains));
        boolean llama = e.surroundings().show(Trait.LLAMA_CPP_PYTHON);
        if (!vllm && !llama) {
            return options;
        }
        String arguments = Stream.of(options.split(" ?--"))
                .filter(option -> !option.isBlank())
                .map(CallForm::argument)
                .collect(Collectors.joining(", "));
        return (llama ? "Llama(" : "LLM(") + "…, " + arguments + ")";
    }

    private static String argument(String option) {
        String[] parts = option.strip().split(" ", 2);
        String name = parts[0].replace('-', '_');
        if (name.equals("split_mode")) {
            return "split_mode=llama_cpp.LLAMA_SPLIT_MODE_LAYER";
        }
        return LLAMA.getOrDefault(name, name) + "=" + (parts.length > 1 ? parts[1] : "True");
    }
}
