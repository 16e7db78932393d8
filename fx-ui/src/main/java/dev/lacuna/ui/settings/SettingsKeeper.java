package dev.lacuna.ui.settings;

import dev.lacuna.ui.task.BackgroundTask;
import dev.lacuna.ui.task.TaskExecutor;
import java.time.Duration;
import java.util.function.Consumer;

/** Saves the settings off the UI thread a moment after the last change of a series (moving a window is hundreds). */
public final class SettingsKeeper {
    /** Long enough to let a drag end, short enough that a crash costs nothing that matters. */
    private static final Duration CALM = Duration.ofMillis(400);

    private final UiSettings settings;
    private final SettingsStore store;
    private final TaskExecutor executor;
    private final Consumer<? super Exception> onFailure;
    private TaskExecutor.Running pending = () -> {};
    private boolean saving;
    private boolean changedMeanwhile;

    /** Keeps these settings in this store from now on; a failure to save is told and tried again at the next change. */
    public SettingsKeeper(
            UiSettings settings, SettingsStore store, TaskExecutor executor, Consumer<? super Exception> onFailure) {
        this.settings = settings;
        this.store = store;
        this.executor = executor;
        this.onFailure = onFailure;
        settings.onChange(this::changed);
    }

    private void changed() {
        pending.stop();
        pending = executor.after(CALM, this::save);
    }

    private void save() {
        if (saving) {
            changedMeanwhile = true;
            return;
        }
        saving = true;
        StoredSettings now = settings.stored();
        executor.execute(BackgroundTask.of(() -> {
                    store.save(now);
                    return now;
                })
                .onFailure(onFailure)
                .onFinished(this::saved));
    }

    private void saved() {
        saving = false;
        if (changedMeanwhile) {
            changedMeanwhile = false;
            save();
        }
    }
}
