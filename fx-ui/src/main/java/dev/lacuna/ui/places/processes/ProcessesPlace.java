package dev.lacuna.ui.places.processes;

import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Notices;
import dev.lacuna.ui.window.Place;
import dev.lacuna.ui.window.Shortcut;
import java.util.List;
import java.util.Optional;
import javafx.beans.binding.StringBinding;
import javafx.scene.Node;

/** Processes: found live, attached with a click or Enter. */
public final class ProcessesPlace implements Place {
    /** Its id. */
    public static final String ID = "processes";

    private static final Texts TEXTS = Texts.of("processes");

    private final ProcessesViewModel model;
    private final ProcessesView view;
    private final StringBinding title = TEXTS.bind("title");

    /** Those that carry an agent, and no others. */
    public ProcessesPlace(ProcessesViewModel model, Notices notices) {
        this(model, Optional.empty(), notices);
    }

    /** Those, and what was not prepared. */
    public ProcessesPlace(ProcessesViewModel model, UnpreparedModel unprepared, Notices notices) {
        this(model, Optional.of(unprepared), notices);
    }

    private ProcessesPlace(ProcessesViewModel model, Optional<UnpreparedModel> unprepared, Notices notices) {
        this.model = model;
        unprepared.ifPresent(others -> model.onUnprepared(others::take));
        this.view = new ProcessesView(model, unprepared.map(UnpreparedView::new), notices);
    }

    @Override
    public String id() {
        return ID;
    }

    @Override
    public StringBinding title() {
        return title;
    }

    @Override
    public String icon() {
        return "fth-cpu";
    }

    @Override
    public Node view() {
        return view;
    }

    @Override
    public void shown() {
        model.start();
        view.takeFocus();
    }

    @Override
    public void hidden() {
        model.stop();
    }

    @Override
    public List<Shortcut> shortcuts() {
        return List.of(
                Shortcut.of("Enter", TEXTS, "shortcut.attach", view::attachSelected),
                Shortcut.of("Shift+Enter", TEXTS, "shortcut.diagnose", view::diagnoseSelected),
                Shortcut.of("D", TEXTS, "shortcut.demo", model::startDemo));
    }
}
