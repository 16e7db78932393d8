package dev.lacuna.ui.places.planner;

import dev.lacuna.ui.parts.FileDialogs;
import dev.lacuna.ui.places.planner.estimate.EstimatePane;
import dev.lacuna.ui.places.planner.estimate.EstimateViewModel;
import dev.lacuna.ui.places.planner.mindformers.MindformersPane;
import dev.lacuna.ui.places.planner.mindformers.MindformersViewModel;
import dev.lacuna.ui.places.planner.pareto.ParetoPane;
import dev.lacuna.ui.places.planner.pareto.ParetoViewModel;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.settings.OpenFile;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.FileOpener;
import dev.lacuna.ui.window.Navigator;
import dev.lacuna.ui.window.Overlay;
import dev.lacuna.ui.window.Place;
import dev.lacuna.ui.window.Shortcut;
import java.io.File;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.StringBinding;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.value.ObservableValue;
import javafx.scene.Node;

/** Planner: what a configuration does, what a run will need, and what to set. */
public final class PlannerPlace implements Place, FileOpener {
    /** Its id. */
    public static final String ID = "planner";

    private static final Texts TEXTS = Texts.of("planner");
    private static final String MINDFORMERS = "mindformers";
    private static final String ESTIMATE = "estimate";
    private static final String PLAN = "plan";

    private final Navigator navigator;
    private final MindformersViewModel mindformers;
    private final EstimateViewModel estimate;
    private final ParetoViewModel pareto;
    private final MindformersPane mindformersPane;
    private final PlannerView view;
    private final StringBinding source;
    private final StringBinding title = TEXTS.bind("title");
    private FileOpener chosen = this;

    /** @param session the attached process, which estimates are held against */
    public PlannerPlace(
            MindformersViewModel mindformers,
            EstimateViewModel estimate,
            ParetoViewModel pareto,
            Session session,
            Overlay overlay,
            Navigator navigator) {
        this.navigator = navigator;
        this.mindformers = mindformers;
        this.estimate = estimate;
        this.pareto = pareto;
        this.mindformersPane = new MindformersPane(mindformers, overlay, this::choose);
        ParetoPane paretoPane = new ParetoPane(pareto, this::choose);
        this.view = new PlannerView(
                List.of(
                        new PlannerView.Part(MINDFORMERS, mindformersPane),
                        new PlannerView.Part(
                                ESTIMATE, new EstimatePane(estimate, session.latestProperty(), this::choose)),
                        new PlannerView.Part(PLAN, paretoPane)),
                this::choose,
                paretoPane::refresh);
        this.source = Bindings.createStringBinding(
                this::sourceInFront,
                view.frontProperty(),
                mindformers.sourceProperty(),
                estimate.sourceProperty(),
                pareto.sourceProperty());
    }

    /** Who takes the files that are chosen here, in place of this one: looks at what they are first. */
    public void setChosen(FileOpener opener) {
        chosen = opener;
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
        return "fth-sliders";
    }

    @Override
    public Node view() {
        return view;
    }

    @Override
    public ObservableValue<String> source() {
        return source;
    }

    @Override
    public List<OpenFile> openFiles() {
        return Stream.of(
                        open(MINDFORMERS, mindformers.isOpen(), mindformers.sourceProperty()),
                        open(ESTIMATE, estimate.isOpen(), estimate.sourceProperty()),
                        open(PLAN, pareto.isOpen(), pareto.sourceProperty()))
                .flatMap(Optional::stream)
                .toList();
    }

    /** What could not be read is not open. */
    private static Optional<OpenFile> open(String part, boolean isOpen, ReadOnlyStringProperty source) {
        return isOpen ? OpenFile.of(ID, part, source.get()) : Optional.empty();
    }

    @Override
    public void reopen(OpenFile file) {
        switch (file.part()) {
            case MINDFORMERS -> mindformers.open(file.path());
            case ESTIMATE -> estimate.open(file.path());
            case PLAN -> pareto.open(file.path());
            default -> {
                // A tab of another version.
            }
        }
    }

    private String sourceInFront() {
        return switch (view.front()) {
            case 0 -> mindformers.sourceProperty().get();
            case 1 -> estimate.sourceProperty().get();
            default -> pareto.sourceProperty().get();
        };
    }

    @Override
    public void choose() {
        navigator.show(ID);
        FileDialogs.open(view, TEXTS.get("open")).ifPresent(file -> chosen.open(List.of(file)));
    }

    /** Opens the first in the tab that is in front. */
    @Override
    public void open(List<File> files) {
        navigator.show(ID);
        files.stream().findFirst().map(File::getAbsolutePath).ifPresent(path -> {
            switch (view.front()) {
                case 0 -> mindformers.open(path);
                case 1 -> estimate.open(path);
                default -> pareto.open(path);
            }
        });
    }

    /** Takes files for the tab that plans, which then comes to the front. */
    public FileOpener plans() {
        return new FileOpener() {
            @Override
            public void choose() {
                PlannerPlace.this.choose();
            }

            @Override
            public void open(List<File> files) {
                navigator.show(ID);
                view.show(PLAN);
                files.stream().findFirst().map(File::getAbsolutePath).ifPresent(pareto::open);
            }
        };
    }

    @Override
    public List<Shortcut> shortcuts() {
        return List.of(
                Shortcut.of("Shortcut+S", TEXTS, "shortcut.save", mindformersPane::save),
                Shortcut.of("Shortcut+Z", TEXTS, "shortcut.undo", mindformers::undo),
                Shortcut.of("Shortcut+Y", TEXTS, "shortcut.redo", mindformers::redo),
                Shortcut.of("Shortcut+Shift+V", TEXTS, "shortcut.paste", mindformersPane::paste));
    }
}
