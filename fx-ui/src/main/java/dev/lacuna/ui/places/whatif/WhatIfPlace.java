package dev.lacuna.ui.places.whatif;

import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.Recording;
import dev.lacuna.core.history.open.HistoryTrace;
import dev.lacuna.ui.parts.FileDialogs;
import dev.lacuna.ui.settings.OpenFile;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.FileOpener;
import dev.lacuna.ui.window.Navigator;
import dev.lacuna.ui.window.Notices;
import dev.lacuna.ui.window.Place;
import dev.lacuna.ui.window.Shortcut;
import java.io.File;
import java.util.List;
import java.util.Optional;
import javafx.beans.binding.StringBinding;
import javafx.beans.value.ObservableValue;
import javafx.scene.Node;

/** What-if: a recorded run in, what other allocators and devices would have made of it out. */
public final class WhatIfPlace implements Place, FileOpener {
    /** Its id. */
    public static final String ID = "whatif";

    private static final Texts TEXTS = Texts.of("whatif");

    private final WhatIfViewModel model;
    private final Navigator navigator;
    private final WhatIfView view;
    private final StringBinding title = TEXTS.bind("title");
    private FileOpener chosen = this;

    /** @param notices where it says what could not be opened while something else stays open */
    public WhatIfPlace(WhatIfViewModel model, Navigator navigator, Notices notices) {
        this.model = model;
        model.whenKept(notices::fail);
        this.navigator = navigator;
        this.view = new WhatIfView(model, this::choose);
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
        return "fth-git-branch";
    }

    @Override
    public Node view() {
        return view;
    }

    @Override
    public ObservableValue<String> source() {
        return model.sourceProperty();
    }

    @Override
    public List<OpenFile> openFiles() {
        return model.isOpen() ? Place.super.openFiles() : List.of();
    }

    @Override
    public void reopen(OpenFile file) {
        model.open(file.path());
    }

    @Override
    public void choose() {
        navigator.show(ID);
        FileDialogs.Wanted traces =
                new FileDialogs.Wanted(TEXTS.get("choose.all"), TEXTS.get("choose.traces"), model.endings());
        FileDialogs.open(view, TEXTS.get("choose.title"), traces).ifPresent(file -> chosen.open(List.of(file)));
    }

    /** Opens the first; several traces are not compared with each other. */
    @Override
    public void open(List<File> files) {
        navigator.show(ID);
        files.stream().findFirst().ifPresent(file -> model.open(file.getAbsolutePath()));
    }

    /**
     * Replays what is open elsewhere in the window.
     *
     * @param recording what is open
     * @param shown the device of it that is meant
     * @param path the file that it was read from; empty where there is none, or where only a part of it is meant
     */
    public void open(Recording recording, DeviceHistory shown, Optional<String> path) {
        navigator.show(ID);
        boolean oneOfSeveral = recording.devices().size() > 1;
        if (path.isPresent() && !oneOfSeveral && !recording.truncated()) {
            model.open(path.get());
            return;
        }
        model.open(
                () -> oneOfSeveral ? deviceOf(recording.source(), shown.device()) : recording.source(),
                () -> HistoryTrace.of(recording, shown).open());
    }

    private static String deviceOf(String source, int device) {
        return device == DeviceHistory.HOST
                ? TEXTS.get("source.host", source)
                : TEXTS.get("source.device", source, Integer.toString(device));
    }

    @Override
    public List<Shortcut> shortcuts() {
        return List.of(
                Shortcut.of("Shortcut+Enter", TEXTS, "shortcut.replay", model::replay),
                Shortcut.of("Shortcut+M", TEXTS, "shortcut.smallest", model::findSmallest),
                Shortcut.of("Shortcut+E", TEXTS, "shortcut.example", model::openExample),
                Shortcut.of("Shortcut+N", TEXTS, "shortcut.close", model::close),
                Shortcut.of("Esc", TEXTS, "shortcut.cancel", model::escape));
    }
}
