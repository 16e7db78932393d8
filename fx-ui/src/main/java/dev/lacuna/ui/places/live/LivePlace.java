package dev.lacuna.ui.places.live;

import dev.lacuna.ui.parts.CommandName;
import dev.lacuna.ui.places.live.phase.PhasesModel;
import dev.lacuna.ui.places.live.reclaim.ReclaimModel;
import dev.lacuna.ui.places.live.stock.StockModel;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.settings.Bookmark;
import dev.lacuna.ui.settings.UiSettings;
import dev.lacuna.ui.task.TaskExecutor;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Overlay;
import dev.lacuna.ui.window.Place;
import dev.lacuna.ui.window.Refreshing;
import dev.lacuna.ui.window.Shortcut;
import java.time.Clock;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import javafx.beans.binding.StringBinding;
import javafx.scene.Node;

/** The place that shows the attached process as it runs. */
public final class LivePlace implements Place {
    /** Its name in the settings and for the navigator. */
    public static final String ID = "live";

    private static final Texts TEXTS = Texts.of("live");

    private final LiveViewModel model;
    private final BlocksModel blocks;
    private final LiveView view;
    private final Refreshing refreshing;

    /**
     * @param overlay where questions are asked
     * @param openProcesses leads to where a process is chosen
     * @param recording records the attached process
     * @param stock asks a process that was not prepared
     */
    public LivePlace(
            Session session,
            UiSettings settings,
            TaskExecutor executor,
            Overlay overlay,
            Runnable openProcesses,
            RecordingModel recording,
            StockModel stock) {
        this.model = new LiveViewModel(session, settings, Clock.systemUTC());
        this.blocks = new BlocksModel(session, executor, model.deviceProperty(), model.cursor());
        PhasesModel phases =
                new PhasesModel(session, () -> model.deviceProperty().get());
        model.deviceProperty().addListener((property, before, now) -> phases.forget());
        this.view = new LiveView(
                model,
                blocks,
                overlay,
                openProcesses,
                new RecordButton(recording, new AllocatorTrial(session, recording, executor)),
                stock,
                phases,
                new ReclaimModel(session));
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
        return "fth-activity";
    }

    @Override
    public Node view() {
        return view;
    }

    @Override
    public Optional<Bookmark> moment() {
        return model.shown()
                .flatMap(moment -> model.processProperty()
                        .get()
                        .map(process -> new Bookmark(
                                TEXTS.get("bookmark", new Date(moment.timeMs()), CommandName.of(process.command())),
                                ID,
                                process.nameForGood(),
                                0,
                                moment.timeNs())));
    }

    @Override
    public boolean show(Bookmark moment) {
        boolean attached = model.processProperty()
                .get()
                .filter(process -> process.nameForGood().equals(moment.subject()))
                .isPresent();
        if (attached) {
            model.hold(moment.at());
        }
        return attached;
    }

    @Override
    public void shown() {
        blocks.show(true);
        refreshing.start();
    }

    @Override
    public void hidden() {
        blocks.show(false);
        refreshing.stop();
    }

    @Override
    public List<Shortcut> shortcuts() {
        return List.of(
                Shortcut.of("W", TEXTS, "key.zoom.in", view.chart()::zoomIn),
                Shortcut.of("S", TEXTS, "key.zoom.out", view.chart()::zoomOut),
                Shortcut.of("A", TEXTS, "key.pan.back", view.chart()::panBack),
                Shortcut.of("D", TEXTS, "key.pan.forward", view.chart()::panForward),
                Shortcut.of("Shift+Left", TEXTS, "key.pan.back", view.chart()::panBack),
                Shortcut.of("Shift+Right", TEXTS, "key.pan.forward", view.chart()::panForward),
                Shortcut.of("Left", TEXTS, "key.step.back", () -> model.step(-1)),
                Shortcut.of("Right", TEXTS, "key.step.forward", () -> model.step(1)),
                Shortcut.of("Shift+O", TEXTS, "key.mark.last", () -> model.stepMark(false)),
                Shortcut.of("O", TEXTS, "key.mark.next", () -> model.stepMark(true)),
                Shortcut.of("Z", TEXTS, "key.zoom.selection", view.chart()::zoomToSelection),
                Shortcut.of("Esc", TEXTS, "key.selection.clear", view::clearSelection),
                Shortcut.of("H", TEXTS, "key.reset", view.chart()::reset),
                Shortcut.of("Space", TEXTS, "key.pause", view.chart()::togglePause),
                Shortcut.of("M", TEXTS, "key.maximise", () -> view.room().maximise()),
                Shortcut.of("Shift+M", TEXTS, "key.detach", () -> view.room().detach()),
                Shortcut.of("Shortcut+Shift+O", TEXTS, "key.optimisation", view.control()::flip),
                Shortcut.of("Shortcut+Shift+L", TEXTS, "key.rules", view.control()::otherRules),
                Shortcut.of("F", TEXTS, "key.fraction", view.control()::editFraction),
                Shortcut.of("Shortcut+Shift+R", TEXTS, "key.recommended", model.control()::applyRecommended),
                Shortcut.of("C", TEXTS, "key.control", model::toggleControl),
                Shortcut.of("Shift+R", TEXTS, "key.record", view.recording()::toggle),
                Shortcut.of("Shift+W", TEXTS, "key.compare", view.recording()::compare),
                Shortcut.of("Y", TEXTS, "key.why", view.gap()::toggleWhy),
                Shortcut.of("Shortcut+Z", TEXTS, "key.undo", model.control()::undo),
                Shortcut.of("Shortcut+Y", TEXTS, "key.redo", model.control()::redo));
    }
}
