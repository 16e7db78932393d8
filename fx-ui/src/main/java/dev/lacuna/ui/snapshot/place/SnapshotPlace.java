package dev.lacuna.ui.snapshot.place;

import dev.lacuna.ui.shell.FileOpener;
import dev.lacuna.ui.shell.Navigator;
import dev.lacuna.ui.shell.Place;
import dev.lacuna.ui.shell.Shortcut;
import dev.lacuna.ui.snapshot.SnapshotViewModel;
import dev.lacuna.ui.text.Texts;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import javafx.beans.binding.StringBinding;
import javafx.scene.Node;
import javafx.scene.input.Clipboard;
import javafx.stage.FileChooser;

/** Snapshot: a recording in; its memory against time, and every block at any moment of it, out. */
public final class SnapshotPlace implements Place, FileOpener {
    /** Its id. */
    public static final String ID = "snapshot";

    private static final Texts TEXTS = Texts.of("snapshot");

    private final SnapshotViewModel model;
    private final Navigator navigator;
    private final SnapshotView view;
    private final List<Shortcut> paneKeys;
    private final StringBinding title = TEXTS.bind("title");

    /** @param paneKeys keys of the panes, in the order of the shortcut list */
    public SnapshotPlace(
            SnapshotViewModel model,
            SnapshotPanes panes,
            List<Shortcut> paneKeys,
            RecordingActions actions,
            Navigator navigator) {
        this.model = model;
        this.navigator = navigator;
        this.paneKeys = List.copyOf(paneKeys);
        this.view = new SnapshotView(model, panes, actions, this::choose);
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
    public void choose() {
        navigator.show(ID);
        FileChooser chooser = new FileChooser();
        chooser.setTitle(TEXTS.get("choose.title"));
        chooser.getExtensionFilters()
                .setAll(
                        new FileChooser.ExtensionFilter(TEXTS.get("choose.all"), "*"),
                        new FileChooser.ExtensionFilter(
                                TEXTS.get("choose.recordings"),
                                "*.pickle",
                                "*.pkl",
                                "*.mem",
                                "*.trace",
                                "*.csv",
                                "*.gz"));
        File file = chooser.showOpenDialog(
                view.getScene() == null ? null : view.getScene().getWindow());
        if (file != null) {
            open(List.of(file));
        }
    }

    /** Opens the first; two recordings are compared in the pane for that. */
    @Override
    public void open(List<File> files) {
        navigator.show(ID);
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
            open(clipboard.getFiles());
        } else if (clipboard.hasString()) {
            String path = PastedPath.in(clipboard.getString());
            if (!path.isEmpty()) {
                open(List.of(new File(path)));
            }
        }
    }
}
