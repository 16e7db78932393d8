package dev.lacuna.app.demo;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What the demo can train. */
public enum Workload {
    /** GPT with sequences of varying length on CPU PyTorch. */
    GPT("train_gpt.py"),
    /** Residual network on images of varying size on CPU PyTorch. */
    CNN("train_cnn.py"),
    /** The GPT's requests on the hosted allocator, without PyTorch. */
    BUILTIN("");

    private final String script;

    Workload(String script) {
        this.script = script;
    }

    /** The name on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The training script beside this class, for workloads that run on PyTorch. */
    public Optional<String> script() {
        return script.isEmpty() ? Optional.empty() : Optional.of(script);
    }

    /** The workload of this name. */
    public static Optional<Workload> ofLabel(String label) {
        return Arrays.stream(values()).filter(w -> w.label().equals(label)).findFirst();
    }
}
