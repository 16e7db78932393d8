package dev.lacuna.ui.places.swap;

import dev.lacuna.ui.task.TaskExecutor;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Overlay;
import dev.lacuna.ui.window.Place;
import dev.lacuna.ui.window.Refreshing;
import dev.lacuna.ui.window.Shortcut;
import java.util.List;
import javafx.beans.binding.StringBinding;
import javafx.scene.Node;

/** The place that shows what of the attached process lies on the host, and steers it. */
public final class SwapPlace implements Place {
    /** Its name in the settings and for the navigator. */
    public static final String ID = "swap";

    private static final Texts TEXTS = SwapText.TEXTS;

    private final SwapViewModel model;
    private final SwapView view;
    private final Refreshing refreshing;

    /**
     * @param overlay where questions are asked
     * @param openProcesses leads to where a process is chosen
     */
    public SwapPlace(SwapViewModel model, TaskExecutor executor, Overlay overlay, Runnable openProcesses) {
        this.model = model;
        this.view = new SwapView(model, overlay, openProcesses);
        this.refreshing = new Refreshing(executor, view::refresh);
    }

    @Override
    public String id() {
        return ID;
    }

    @Override
    public StringBinding title() {
        return TEXTS.bind("place");
    }

    @Override
    public String icon() {
        return "fth-repeat";
    }

    @Override
    public Node view() {
        return view;
    }

    @Override
    public void shown() {
        model.show(true);
        refreshing.start();
    }

    @Override
    public void hidden() {
        model.show(false);
        refreshing.stop();
    }

    @Override
    public List<Shortcut> shortcuts() {
        return List.of(
                Shortcut.of("B", TEXTS, "key.budget", view.control()::editBudget),
                Shortcut.of("Shortcut+Shift+F", TEXTS, "key.find", view.adaptive()::find),
                Shortcut.of("C", TEXTS, "key.control", model::toggleControl),
                Shortcut.of("Shortcut+Z", TEXTS, "key.undo", model.control()::undo),
                Shortcut.of("Shortcut+Y", TEXTS, "key.redo", model.control()::redo));
    }
}
