package dev.lacuna.core.config.mindformers.setting;

import dev.lacuna.core.config.document.ConfigDocument;
import dev.lacuna.core.config.document.ConfigPath;
import dev.lacuna.core.config.document.ConfigValue;
import dev.lacuna.core.config.mindformers.layer.InvalidSettingException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What swap needs beside its own section: memory optimisation off, and lazy inlining where there is no pipeline. */
public final class SwapEnvironment {
    private static final ConfigPath CONTEXT = ConfigPath.of("context");
    private static final String LEVEL = "O0";
    private static final String LAZY_INLINE = "ENABLE_LAZY_INLINE_NO_PIPELINE";

    /** PyNative mode, by number and by name. */
    private static final Set<String> DYNAMIC = Set.of("1", "PYNATIVE_MODE");
    /** Where files name their model. */
    private static final List<ConfigPath> ARCHITECTURES =
            List.of(ConfigPath.of("model", "arch", "type"), ConfigPath.of("model", "model_config", "type"));

    private final ConfigDocument file;
    private final boolean swapOn;
    private final int stages;
    private final Map<String, String> environment;

    public SwapEnvironment(ConfigDocument file, boolean swapOn, int stages, Map<String, String> environment) {
        this.file = file;
        this.swapOn = swapOn;
        this.stages = stages;
        this.environment = environment;
    }

    /** What the file itself gets wrong. */
    public List<Note> contradictions() {
        Optional<ConfigValue> level = level();
        if (!swapOn || level.isEmpty() || level.get().equals(ConfigValue.of(LEVEL))) {
            return List.of();
        }
        return List.of(new Note(
                Note.Kind.ENVIRONMENT,
                levelPath(),
                InvalidSettingException.WORDS.of(
                        "environment.level.wrong", level.get().literal())));
    }

    /** What the file does not say and has to be seen to. */
    List<Note> open() {
        List<Note> notes = new ArrayList<>();
        if (swapOn && level().isEmpty()) {
            notes.add(new Note(
                    Note.Kind.ENVIRONMENT, levelPath(), InvalidSettingException.WORDS.of("environment.level.missing")));
        }
        if (swapOn && stages == 1 && !"1".equals(environment.get(LAZY_INLINE))) {
            notes.add(new Note(
                    Note.Kind.ENVIRONMENT,
                    SwapSettings.PATH,
                    InvalidSettingException.WORDS.of("environment.lazy.inline")));
        }
        if (swapOn) {
            unsupported(notes);
        }
        return notes;
    }

    /** What the framework's documentation leaves out: swap is for static graphs of dense Llama-like models on Ascend. */
    private void unsupported(List<Note> notes) {
        ConfigPath mode = CONTEXT.child("mode");
        file.at(mode)
                .filter(value -> DYNAMIC.contains(value.literal().replaceAll("['\"]", "")))
                .ifPresent(value -> notes.add(environment(mode, "environment.mode", value.literal())));
        ConfigPath target = CONTEXT.child("device_target");
        text(target)
                .filter(device -> !device.equalsIgnoreCase("Ascend"))
                .ifPresent(device -> notes.add(environment(target, "environment.device", device)));
        ConfigPath level = CONTEXT.child("jit_config").child("jit_level");
        text(level).filter("O2"::equals).ifPresent(jit -> notes.add(environment(level, "environment.jit", jit)));
        for (ConfigPath path : ARCHITECTURES) {
            Optional<String> architecture = text(path);
            if (architecture.isPresent()) {
                architecture
                        .filter(name -> !name.toLowerCase(Locale.ROOT).startsWith("llama"))
                        .ifPresent(name -> notes.add(environment(path, "environment.architecture", name)));
                return;
            }
        }
    }

    private static Note environment(ConfigPath path, String key, String value) {
        return new Note(Note.Kind.ENVIRONMENT, path, InvalidSettingException.WORDS.of(key, value));
    }

    private Optional<String> text(ConfigPath path) {
        return file.at(path)
                .filter(ConfigValue.Text.class::isInstance)
                .map(value -> ((ConfigValue.Text) value).value())
                .filter(value -> !value.isBlank());
    }

    private Optional<ConfigValue> level() {
        return file.at(levelPath());
    }

    private static ConfigPath levelPath() {
        return CONTEXT.child("memory_optimize_level");
    }
}
