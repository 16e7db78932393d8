package dev.lacuna.ui.theme;

import dev.lacuna.ui.settings.ThemeChoice;
import dev.lacuna.ui.task.BackgroundTask;
import dev.lacuna.ui.task.TaskExecutor;
import java.util.Optional;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;

/** Turns the operator's choice and the desktop's preference into one appearance. */
public final class ThemeModel {
    private final ObjectProperty<ThemeChoice> choice;
    private final DesktopAppearance desktop;
    private final TaskExecutor executor;
    private final ReadOnlyObjectWrapper<Appearance> appearance = new ReadOnlyObjectWrapper<>(Appearance.LIGHT);
    private Appearance preferred = Appearance.LIGHT;

    public ThemeModel(ObjectProperty<ThemeChoice> choice, DesktopAppearance desktop, TaskExecutor executor) {
        this.choice = choice;
        this.desktop = desktop;
        this.executor = executor;
        choice.addListener((property, before, now) -> {
            settle();
            askDesktop();
        });
        settle();
        askDesktop();
    }

    /** What the window looks like now. */
    public ReadOnlyObjectProperty<Appearance> appearanceProperty() {
        return appearance.getReadOnlyProperty();
    }

    /** Asks the desktop again where its word counts; called when the window comes to the front. */
    public void askDesktop() {
        if (choice.get() == ThemeChoice.SYSTEM) {
            executor.execute(BackgroundTask.of(desktop::read).onSuccess(this::heard));
        }
    }

    private void heard(Optional<Appearance> answer) {
        preferred = answer.orElse(Appearance.LIGHT);
        settle();
    }

    private void settle() {
        appearance.set(
                switch (choice.get()) {
                    case LIGHT -> Appearance.LIGHT;
                    case DARK -> Appearance.DARK;
                    case SYSTEM -> preferred;
                });
    }
}
