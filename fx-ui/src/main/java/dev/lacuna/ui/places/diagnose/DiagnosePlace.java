package dev.lacuna.ui.places.diagnose;

import dev.lacuna.ui.parts.FileDialogs;
import dev.lacuna.ui.settings.OpenFile;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.FileOpener;
import dev.lacuna.ui.window.Navigator;
import dev.lacuna.ui.window.Place;
import dev.lacuna.ui.window.Shortcut;
import java.io.File;
import java.util.List;
import javafx.beans.binding.StringBinding;
import javafx.beans.value.ObservableValue;
import javafx.scene.Node;

/** Diagnose: a log in, a verdict out. Takes the files that are dropped on the window. */
public final class DiagnosePlace implements Place, FileOpener {
    /** Its id. */
    public static final String ID = "diagnose";

    private static final Texts TEXTS = Texts.of("diagnose");

    private final DiagnoseViewModel model;
    private final Navigator navigator;
    private final DiagnoseView view;
    private final StringBinding title = TEXTS.bind("title");
    private FileOpener chosen = this;

    public DiagnosePlace(DiagnoseViewModel model, Navigator navigator) {
        this.model = model;
        this.navigator = navigator;
        this.view = new DiagnoseView(model, this::choose, this::saveHtml);
        model.whenRaised(() -> navigator.show(ID));
    }

    /** Comes to the front with this text diagnosed. */
    public void diagnose(String source, String text) {
        navigator.show(ID);
        model.diagnose(source, text);
    }

    /** Comes to the front with what is on the clipboard diagnosed; with an empty one, ready for a text. */
    public void paste() {
        navigator.show(ID);
        view.startAnew();
        view.paste();
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
        return "fth-search";
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
    public void reopen(OpenFile file) {
        model.open(List.of(file.path()));
    }

    @Override
    public void choose() {
        navigator.show(ID);
        FileDialogs.Wanted logs =
                new FileDialogs.Wanted(TEXTS.get("choose.all"), TEXTS.get("choose.logs"), LogFiles.ENDINGS);
        List<File> files = FileDialogs.openSeveral(view, TEXTS.get("choose.title"), logs);
        if (!files.isEmpty()) {
            chosen.open(files);
        }
    }

    private void saveHtml() {
        FileDialogs.save(view, TEXTS.get("save.title"), "diagnosis.html")
                .ifPresent(file -> model.saveHtml(file.getAbsolutePath()));
    }

    @Override
    public void open(List<File> files) {
        navigator.show(ID);
        model.open(files.stream().map(File::getAbsolutePath).toList());
    }

    @Override
    public List<Shortcut> shortcuts() {
        return List.of(
                Shortcut.of("Shortcut+V", TEXTS, "shortcut.paste", view::paste),
                Shortcut.of("Shortcut+Enter", TEXTS, "shortcut.go", view::diagnoseTyped),
                Shortcut.of("Shortcut+Shift+C", TEXTS, "shortcut.copy", view::copy),
                Shortcut.of("Shortcut+N", TEXTS, "shortcut.anew", view::startAnew),
                Shortcut.of("Esc", TEXTS, "shortcut.back", view::back));
    }
}
