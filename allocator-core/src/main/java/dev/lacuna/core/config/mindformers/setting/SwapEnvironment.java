package dev.lacuna.core.config.mindformers.setting;

import dev.lacuna.core.config.document.ConfigDocument;
import dev.lacuna.core.config.document.ConfigPath;
import dev.lacuna.core.config.document.ConfigValue;
import dev.lacuna.core.config.mindformers.layer.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What swap needs beside its own section: memory optimisation off, and lazy inlining where there is no pipeline. */
public final class SwapEnvironment {
    private static final ConfigPath CONTEXT = ConfigPath.of("context");
    private static final String LEVEL = "O0";
    private static final String LAZY_INLINE = "ENABLE_LAZY_INLINE_NO_PIPELINE";

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
                Message.of("environment.level.wrong", level.get().literal())));
    }

    /** What the file does not say and has to be seen to. */
    List<Note> open() {
        List<Note> notes = new ArrayList<>();
        if (swapOn && level().isEmpty()) {
            notes.add(new Note(Note.Kind.ENVIRONMENT, levelPath(), Message.of("environment.level.missing")));
        }
        if (swapOn && stages == 1 && !"1".equals(environment.get(LAZY_INLINE))) {
            notes.add(new Note(Note.Kind.ENVIRONMENT, SwapSettings.PATH, Message.of("environment.lazy.inline")));
        }
        return notes;
    }

    private Optional<ConfigValue> level() {
        return file.at(levelPath());
    }

    private static ConfigPath levelPath() {
        return CONTEXT.child("memory_optimize_level");
    }
}
