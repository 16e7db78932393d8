package dev.lacuna.ui.places.recording;

import dev.lacuna.ui.parts.FileDialogs;
import dev.lacuna.ui.places.recording.attribution.AttributionPanes;
import dev.lacuna.ui.places.recording.focus.RecordingViewModel;
import dev.lacuna.ui.places.recording.map.BlockMapPane;
import dev.lacuna.ui.places.recording.timeline.TimelinePane;
import dev.lacuna.ui.settings.Bookmark;
import dev.lacuna.ui.settings.OpenFile;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.FileOpener;
import dev.lacuna.ui.window.Place;
import dev.lacuna.ui.window.Shortcut;
import dev.lacuna.ui.window.WindowContext;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.StringBinding;
import javafx.beans.value.ObservableValue;
import javafx.scene.Node;
import javafx.scene.input.Clipboard;

/** Snapshot: a recording in; its memory against time, and every block at any moment of it, out. */
public final class RecordingPlace implements Place, FileOpener {
    /** Its id. */
    public static final String ID = "snapshot";

    private static final Texts TEXTS = Texts.of("snapshot");

    private final RecordingViewModel model;
    private final WindowContext context;
    private final List<Shortcut> paneKeys;
    private final RecordingView view;
    private final StringBinding title = TEXTS.bind("title");
    private final StringBinding source;
    private FileOpener chosen = this;

    /**
     * The place with all its panes.
     *
     * @param who the tabs beside the map, and what the header offers to export
     * @param actions where the place leads
     */
    public static RecordingPlace of(
            RecordingViewModel model, AttributionPanes who, RecordingActions actions, WindowContext context) {
        TimelinePane timeline = new TimelinePane(model, context.executor());
        BlockMapPane map = new BlockMapPane(model, context.executor());
        who.export().offerPictures(List.of(timeline, map));
        who.export().offerPictures(who.tabs());
        RecordingPanes panes = new RecordingPanes(timeline, map, who.tabs(), List.of(who.export()));
        return new RecordingPlace(model, panes, timeline.shortcuts(), actions, context);
    }

    /** The place with these panes and their keys, in the order of the shortcut list. */
    public RecordingPlace(
            RecordingViewModel model,
            RecordingPanes panes,
            List<Shortcut> paneKeys,
            RecordingActions actions,
            WindowContext context) {
        this.model = model;
        this.context = context;
        this.paneKeys = List.copyOf(paneKeys);
        this.view = new RecordingView(model, panes, actions, this::choose);
        model.whenKept(context.notices()::fail);
        // Changes with the state, too: whether it is open is asked when this changes.
        this.source = Bindings.createStringBinding(
                () -> model.sourceProperty().get(), model.sourceProperty(), model.stateProperty());
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
        return "fth-layers";
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
        return model.stateProperty().get() == RecordingViewModel.State.SHOWN ? Place.super.openFiles() : List.of();
    }

    @Override
    public void reopen(OpenFile file) {
        model.open(file.path());
    }

    /** Of a whole file only: a part of one counts its moments from elsewhere. */
    @Override
    public Optional<Bookmark> moment() {
        int moment = model.focus().momentProperty().get();
        return model.wholePath()
                .flatMap(path -> model.deviceProperty()
                        .get()
                        .map(device -> new Bookmark(
                                TEXTS.get("bookmark", moment, new File(path).getName()),
                                ID,
                                path,
                                device.device(),
                                moment)));
    }

    @Override
    public boolean show(Bookmark moment) {
        model.openAt(moment.subject(), moment.device(), (int) moment.at());
        return true;
    }

    @Override
    public void choose() {
        context.navigator().show(ID);
        FileDialogs.Wanted recordings =
                new FileDialogs.Wanted(TEXTS.get("choose.all"), TEXTS.get("choose.recordings"), model.endings());
        FileDialogs.open(view, TEXTS.get("choose.title"), recordings).ifPresent(file -> chosen.open(List.of(file)));
    }

    /** Opens the first; two recordings are compared in the pane for that. */
    @Override
    public void open(List<File> files) {
        context.navigator().show(ID);
        files.stream().findFirst().ifPresent(file -> model.open(file.getAbsolutePath()));
    }

    @Override
    public List<Shortcut> shortcuts() {
        List<Shortcut> keys = new ArrayList<>(paneKeys);
        keys.add(Shortcut.of("Shortcut+V", TEXTS, "shortcut.paste", this::paste));
        keys.add(Shortcut.of("Shortcut+E", TEXTS, "shortcut.example", model::openExample));
        keys.add(Shortcut.of("Shortcut+N", TEXTS, "shortcut.close", model::close));
        return keys;
    }

    /** Opens the file that was copied, or whose path was. */
    private void paste() {
        Clipboard clipboard = Clipboard.getSystemClipboard();
        if (clipboard.hasFiles()) {
            chosen.open(clipboard.getFiles());
        } else if (clipboard.hasString()) {
            String path = PastedPath.in(clipboard.getString());
            if (!path.isEmpty()) {
                chosen.open(List.of(new File(path)));
            }
        }
    }
}
