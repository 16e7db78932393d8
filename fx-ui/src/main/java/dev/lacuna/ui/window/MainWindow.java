package dev.lacuna.ui.window;

import dev.lacuna.ui.parts.Copying;
import dev.lacuna.ui.parts.ExportFiles;
import dev.lacuna.ui.parts.FileDialogs;
import dev.lacuna.ui.parts.SaveRequest;
import dev.lacuna.ui.settings.Bookmark;
import dev.lacuna.ui.settings.OpenFile;
import dev.lacuna.ui.settings.ThemeChoice;
import dev.lacuna.ui.settings.UiSettings;
import dev.lacuna.ui.task.BackgroundTask;
import dev.lacuna.ui.text.FileFault;
import dev.lacuna.ui.text.Language;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.theme.Appearance;
import dev.lacuna.ui.theme.StyleSheets;
import java.io.File;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javafx.beans.property.ObjectProperty;
import javafx.scene.Scene;
import javafx.scene.control.Label;
import javafx.scene.input.DragEvent;
import javafx.scene.input.MouseButton;
import javafx.scene.input.MouseEvent;
import javafx.scene.input.TransferMode;
import javafx.scene.layout.BorderPane;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import javafx.stage.Stage;
import javafx.stage.WindowEvent;

/** The window: a rail of places, the place in front, a status line, and what lies over them. */
public final class MainWindow {
    private static final Texts TEXTS = Texts.of("shell");

    private final Stage stage;
    private final WindowContext context;
    private final List<Place> places;
    private final Actions actions;
    private final WindowTitle title;
    private final StackPane front = new StackPane();
    private final StackPane root = new StackPane();
    private Optional<Place> current = Optional.empty();
    private Optional<FileOpener> opener = Optional.empty();
    private Optional<FileOpener> dropTarget = Optional.empty();
    private Runnable paster = () -> {};
    private Optional<AboutSource> about = Optional.empty();

    /**
     * A window on this stage with these places, in the order of the rail.
     *
     * @throws IllegalArgumentException without any place
     */
    public MainWindow(Stage stage, WindowContext context, List<Place> places) {
        if (places.isEmpty()) {
            throw new IllegalArgumentException("a window needs a place");
        }
        this.stage = stage;
        this.context = context;
        this.places = List.copyOf(places);
        this.actions = new Actions(places, context.navigator());
        this.title = new WindowTitle(context.session());
        UiSettings settings = context.settings();
        ObjectProperty<Language> language = Texts.languageProperty();
        language.bind(settings.languageProperty());
        Texts.unitProperty().bind(settings.unitProperty());
        addShortcutsOfTheWindow();
        build();
        Scene scene = new Scene(root);
        StyleSheets.dress(
                scene, context.theme().appearanceProperty(), settings.paletteProperty(), settings.ownColoursProperty());
        new ShortcutKeys(
                scene,
                context.overlay()::isShowing,
                actions.everywhere(),
                () -> current.map(Place::shortcuts).orElse(List.of()));
        stage.setScene(scene);
        stage.addEventHandler(WindowEvent.WINDOW_HIDDEN, e -> Texts.letGo(language));
        stage.titleProperty().bind(title.property());
        new WindowPosition(stage, settings);
        stage.focusedProperty().addListener((property, before, focused) -> {
            if (focused) {
                context.theme().askDesktop();
            }
        });
        context.navigator().currentProperty().addListener((property, before, now) -> bringToFront(now));
        context.navigator().show(settings.placeProperty().get());
        if (current.isEmpty()) {
            context.navigator().show(this.places.get(0).id());
        }
    }

    /** What takes dropped files, whichever place is in front; without it the place itself, or the window's opener. */
    public void setDropTarget(FileOpener target) {
        dropTarget = Optional.of(target);
    }

    /** What takes dropped files and Ctrl+O where the place in front opens none; without it both do nothing. */
    public void setFileOpener(FileOpener fileOpener) {
        opener = Optional.of(fileOpener);
    }

    /** What Ctrl+V does where the place in front takes nothing from the clipboard and no text is typed; without it nothing. */
    public void setPaster(Runnable action) {
        paster = action;
    }

    /** What the window says of itself; without it there is nothing to ask. */
    public void setAbout(AboutSource source) {
        about = Optional.of(source);
    }

    /** How what is saved from a chart is written; without it nothing is. */
    public void setExportFiles(ExportFiles files) {
        root.addEventHandler(SaveRequest.SAVE, request -> save(request, files));
    }

    private void save(SaveRequest request, ExportFiles files) {
        FileDialogs.save(root, request.title(), request.name())
                .map(File::getAbsolutePath)
                .ifPresent(path -> context.executor()
                        .execute(BackgroundTask.of(() -> {
                                    files.write(path, request.content(files).call());
                                    return path;
                                })
                                .onSuccess(written -> context.notices().inform(TEXTS.get("saved", written)))
                                .onFailure(why -> context.notices()
                                        .fail(TEXTS.get("save.failed", path), FileFault.explain(why)))));
    }

    /** Opens these in the places in which they were open; those of places that are no longer there are left. */
    public void reopen(List<OpenFile> files) {
        files.forEach(file -> find(file.place()).ifPresent(place -> place.reopen(file)));
    }

    /** Keeps in the settings what is open from now on. */
    public void rememberWhatIsOpen() {
        new OpenThings(places, context.session(), context.settings()).follow();
    }

    /** Shows it. */
    public void show() {
        stage.show();
    }

    private void build() {
        front.getStyleClass().add("front");
        BorderPane frame = new BorderPane(front);
        frame.getStyleClass().add("frame");
        frame.setLeft(new Rail(places, context.navigator()));
        frame.setBottom(new VBox(
                new NoticeStack(context.notices()),
                new StatusBar(
                        context.session(),
                        context.settings(),
                        this::openSettings,
                        this::openShortcuts,
                        this::openAbout)));
        Label drop = Labels.of(TEXTS.bind("drop.here"), "drop-target");
        drop.setMaxSize(Double.MAX_VALUE, Double.MAX_VALUE);
        drop.setMouseTransparent(true);
        drop.setVisible(false);
        root.getChildren().addAll(frame, drop, context.overlay().node());
        takeDroppedFiles(drop);
        root.addEventFilter(MouseEvent.MOUSE_PRESSED, this::leafThrough);
    }

    /** The mouse's own buttons for back and forward. */
    private void leafThrough(MouseEvent event) {
        if (event.getButton() == MouseButton.BACK) {
            context.navigator().back();
        } else if (event.getButton() == MouseButton.FORWARD) {
            context.navigator().forward();
        }
    }

    private void takeDroppedFiles(Label drop) {
        root.addEventHandler(DragEvent.DRAG_OVER, e -> {
            if (dropTaker().isPresent() && e.getDragboard().hasFiles()) {
                e.acceptTransferModes(TransferMode.COPY);
                drop.setVisible(true);
                e.consume();
            }
        });
        root.addEventHandler(DragEvent.DRAG_EXITED, e -> drop.setVisible(false));
        root.addEventHandler(DragEvent.DRAG_DROPPED, e -> {
            List<File> files = e.getDragboard().getFiles();
            drop.setVisible(false);
            e.setDropCompleted(dropTaker().isPresent() && !files.isEmpty());
            e.consume();
            dropTaker().ifPresent(o -> o.open(files));
        });
    }

    private Optional<FileOpener> dropTaker() {
        return dropTarget.or(this::opener);
    }

    private Optional<FileOpener> opener() {
        return current.filter(FileOpener.class::isInstance)
                .map(FileOpener.class::cast)
                .or(() -> opener);
    }

    private void addShortcutsOfTheWindow() {
        for (int i = 0; i < Math.min(9, places.size()); i++) {
            Place place = places.get(i);
            actions.add(Shortcut.of(
                    "Shortcut+" + (i + 1),
                    TEXTS,
                    "shortcut.place." + (i + 1),
                    () -> context.navigator().show(place.id())));
        }
        actions.add(Shortcut.of("Shortcut+O", TEXTS, "shortcut.open", () -> opener().ifPresent(FileOpener::choose)));
        actions.add(Shortcut.of("Shortcut+V", TEXTS, "shortcut.paste", () -> paster.run()));
        actions.add(Shortcut.of("Shortcut+K", TEXTS, "shortcut.palette", this::openPalette));
        actions.add(Shortcut.of("Alt+Left", TEXTS, "shortcut.back", context.navigator()::back));
        actions.add(Shortcut.of("Alt+Right", TEXTS, "shortcut.forward", context.navigator()::forward));
        actions.add(Shortcut.of("Shortcut+D", TEXTS, "shortcut.bookmark", this::addBookmark));
        actions.add(Shortcut.of("Shortcut+B", TEXTS, "shortcut.bookmarks", this::openBookmarks));
        actions.add(Shortcut.of("Shortcut+T", TEXTS, "shortcut.theme", this::switchTheme));
        actions.add(Shortcut.of("Shortcut+U", TEXTS, "shortcut.unit", this::nextUnit));
        actions.add(Shortcut.of("Shortcut+Comma", TEXTS, "shortcut.settings", this::openSettings));
        actions.add(Shortcut.of("F1", TEXTS, "shortcut.list", this::openShortcuts));
        actions.add(Shortcut.withoutKeys(TEXTS, "about.title", this::openAbout));
        for (Language language : Language.values()) {
            actions.add(Shortcut.withoutKeys(
                    TEXTS,
                    "palette.language." + language.name().toLowerCase(Locale.ROOT),
                    () -> context.settings().languageProperty().set(language)));
        }
        // Shift+Slash is where most layouts have the question mark.
        actions.add(Shortcut.of("Shift+Slash", TEXTS, "shortcut.list", this::openShortcuts));
    }

    private void bringToFront(String id) {
        Optional<Place> next = find(id);
        if (next.isEmpty() || next.equals(current)) {
            return;
        }
        current.ifPresent(Place::hidden);
        current = next;
        title.follow(next.get());
        front.getChildren().setAll(next.get().view());
        context.settings().placeProperty().set(id);
        next.get().shown();
    }

    /** From what is seen to its opposite; the operator's choice from then on. */
    private void switchTheme() {
        boolean dark = context.theme().appearanceProperty().get() == Appearance.DARK;
        context.settings().themeProperty().set(dark ? ThemeChoice.LIGHT : ThemeChoice.DARK);
    }

    private Optional<Place> find(String id) {
        return places.stream().filter(p -> p.id().equals(id)).findFirst();
    }

    private void addBookmark() {
        current.flatMap(Place::moment)
                .ifPresentOrElse(
                        moment -> {
                            context.settings().bookmarks().add(moment);
                            openBookmarks().editNewest();
                        },
                        () -> context.notices().warn(TEXTS.get("bookmarks.nothing"), TEXTS.get("bookmarks.how")));
    }

    private BookmarkCard openBookmarks() {
        BookmarkCard card = new BookmarkCard(context.settings().bookmarks(), this::goTo, context.overlay()::close);
        context.overlay().show(card);
        return card;
    }

    private void goTo(Bookmark bookmark) {
        context.overlay().close();
        if (find(bookmark.place()).filter(place -> place.show(bookmark)).isPresent()) {
            context.navigator().show(bookmark.place());
        } else {
            context.notices().warn(TEXTS.get("bookmarks.gone", bookmark.name()), TEXTS.get("bookmarks.gone.why"));
        }
    }

    private void nextUnit() {
        UiSettings settings = context.settings();
        settings.unitProperty().set(settings.unitProperty().get().next());
    }

    private void openPalette() {
        CommandPalette palette =
                new CommandPalette(new PaletteModel(actions.entries(current)), context.overlay()::close);
        context.overlay().show(palette);
        palette.field().requestFocus();
    }

    private void openSettings() {
        context.overlay().show(new SettingsCard(context.settings(), context.overlay()::close));
    }

    private void openAbout() {
        about.ifPresent(source -> context.overlay()
                .show(new AboutCard(source, context.executor(), this::copy, context.overlay()::close)));
    }

    private void copy(String text) {
        Copying.copy(text);
        context.notices().inform(TEXTS.get("about.copied"));
    }

    private void openShortcuts() {
        current.ifPresent(place -> context.overlay().show(new ShortcutList(place, actions.everywhere())));
    }
}
