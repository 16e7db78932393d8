package dev.lacuna.ui.places.diagnose;

import atlantafx.base.theme.Styles;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.IconButton;
import dev.lacuna.ui.window.Labels;
import dev.lacuna.ui.window.RecentFiles;
import java.io.File;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanBinding;
import javafx.collections.ListChangeListener;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Hyperlink;
import javafx.scene.control.Label;
import javafx.scene.control.ProgressIndicator;
import javafx.scene.control.Tooltip;
import javafx.scene.input.Clipboard;
import javafx.scene.input.KeyCombination;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import org.fxmisc.flowless.VirtualizedScrollPane;
import org.fxmisc.richtext.CodeArea;
import org.kordamp.ikonli.javafx.FontIcon;

/** Where a log comes in: pasted or typed, opened, dropped, or one of the recent files. */
final class LogInput extends HBox {
    private static final Texts TEXTS = Texts.of("diagnose");
    private static final KeyCombination PASTE = KeyCombination.valueOf("Shortcut+V");
    private static final KeyCombination GO = KeyCombination.valueOf("Shortcut+Enter");

    /** A log of five megabytes is painted in half a second by this area, in five by JavaFX's own. */
    private final CodeArea area = new CodeArea();

    private final DiagnoseViewModel model;

    LogInput(DiagnoseViewModel model, Runnable choose) {
        this.model = model;
        getStyleClass().add("log-input");
        VBox paper = new VBox(paper(), buttons(choose));
        paper.getStyleClass().addAll("card", "log-card");
        HBox.setHgrow(paper, Priority.ALWAYS);
        VBox recent = recent();
        getChildren().addAll(paper, recent);
        area.addEventFilter(KeyEvent.KEY_PRESSED, e -> {
            if (PASTE.match(e)) {
                e.consume();
                paste();
            } else if (GO.match(e)) {
                e.consume();
                diagnoseTyped();
            }
        });
    }

    /** Takes the clipboard's text and diagnoses it at once. */
    void paste() {
        String text = Clipboard.getSystemClipboard().getString();
        if (text != null && !text.isBlank()) {
            area.replaceText(text);
            model.diagnosePasted(text);
        }
    }

    /** Puts the keyboard on the paper. */
    void takeFocus() {
        area.requestFocus();
    }

    /** Empties the paper and puts the keyboard there. */
    void startAnew() {
        area.clear();
        area.requestFocus();
    }

    /** Diagnoses what stands on the paper. */
    void diagnoseTyped() {
        if (!area.getText().isBlank()) {
            model.diagnosePasted(area.getText());
        }
    }

    private Node paper() {
        area.setId("log-area");
        area.getStyleClass().add("mono");
        area.setWrapText(true);
        Label hint = Labels.of(TEXTS.bind("input.hint"), "muted", "log-hint");
        hint.setMouseTransparent(true);
        hint.setWrapText(true);
        hint.visibleProperty().bind(Bindings.createBooleanBinding(() -> area.getLength() == 0, area.lengthProperty()));
        VBox nothing = new VBox(
                new FontIcon("fth-search"),
                Labels.titled(TEXTS.bind("nothing.title")),
                Labels.inAnyScript(wrapped(TEXTS.bind("nothing.text", model.sourceProperty()))));
        nothing.setId("nothing-found");
        nothing.getStyleClass().add("nothing-found");
        nothing.setMaxHeight(Region.USE_PREF_SIZE);
        BooleanBinding empty = model.stateProperty().isEqualTo(DiagnoseViewModel.State.NOTHING_FOUND);
        BooleanBinding tables = Bindings.createBooleanBinding(
                () -> !model.listingsProperty().get().isEmpty(), model.listingsProperty());
        nothing.visibleProperty().bind(empty.and(tables.not()));
        nothing.managedProperty().bind(nothing.visibleProperty());
        ListingsPane listings = new ListingsPane(model);
        listings.visibleProperty().bind(empty.and(tables));
        listings.managedProperty().bind(listings.visibleProperty());
        VBox.setVgrow(listings, Priority.ALWAYS);
        StackPane paper = new StackPane(new VirtualizedScrollPane<>(area), hint);
        StackPane.setAlignment(hint, Pos.TOP_LEFT);
        paper.getStyleClass().add("paper");
        VBox.setVgrow(paper, Priority.ALWAYS);
        VBox stack = new VBox(nothing, listings, paper);
        stack.getStyleClass().add("section");
        VBox.setVgrow(stack, Priority.ALWAYS);
        return stack;
    }

    private static Label wrapped(javafx.beans.value.ObservableValue<String> text) {
        Label label = Labels.of(text, "muted");
        label.setWrapText(true);
        label.setMinHeight(Region.USE_PREF_SIZE);
        return label;
    }

    private Node buttons(Runnable choose) {
        Button go = button("input.diagnose", "fth-search", this::diagnoseTyped);
        go.setId("diagnose-go");
        go.getStyleClass().add(Styles.ACCENT);
        go.disableProperty().bind(Bindings.createBooleanBinding(() -> area.getLength() == 0, area.lengthProperty()));
        Button paste = button("input.paste", "fth-clipboard", this::paste);
        paste.setId("diagnose-paste");
        Button open = button("input.open", "fth-folder", choose);
        Button example = button("input.example", "fth-file-text", () -> {
            area.replaceText(TEXTS.get("example"));
            model.diagnoseExample();
        });
        example.setId("diagnose-example");
        ProgressIndicator progress = new ProgressIndicator();
        progress.getStyleClass().add("log-progress");
        Button cancel = button("input.cancel", "fth-x", model::cancel);
        HBox reading = new HBox(
                progress,
                Labels.inAnyScript(Labels.of(TEXTS.bind("input.reading", model.sourceProperty()), "muted")),
                cancel);
        reading.getStyleClass().add("buttons");
        reading.visibleProperty().bind(model.stateProperty().isEqualTo(DiagnoseViewModel.State.READING));
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        HBox row = new HBox(go, paste, open, example, space, reading);
        row.getStyleClass().add("buttons");
        return row;
    }

    private static Button button(String key, String icon, Runnable action) {
        return new IconButton(TEXTS.bind(key), icon, action);
    }

    private VBox recent() {
        RecentFiles entries = new RecentFiles(
                model.recentFiles(), TEXTS.bind("recent.forget"), path -> model.open(List.of(path)), model::forget);
        Label none = wrapped(TEXTS.bind("recent.none"));
        none.visibleProperty().bind(Bindings.isEmpty(model.recentFiles()));
        none.managedProperty().bind(none.visibleProperty());
        VBox card = new VBox(Labels.titled(TEXTS.bind("recent.title")), none, entries, pastTitle(), past());
        card.getStyleClass().addAll("card", "recent-card");
        return card;
    }

    private HBox pastTitle() {
        Button forget = new Button(null, new FontIcon("fth-trash-2"));
        forget.setId("past-clear");
        forget.getStyleClass().addAll(Styles.BUTTON_ICON, Styles.FLAT, Styles.SMALL);
        forget.accessibleTextProperty().bind(TEXTS.bind("past.clear"));
        Tooltip tip = new Tooltip();
        tip.textProperty().bind(TEXTS.bind("past.clear"));
        forget.setTooltip(tip);
        forget.visibleProperty().bind(Bindings.isNotEmpty(model.past().list()));
        forget.setOnAction(e -> model.past().forget());
        HBox row = new HBox(Labels.titled(TEXTS.bind("past.title")), forget);
        row.setAlignment(Pos.CENTER_LEFT);
        return row;
    }

    /** What was diagnosed before, pasted logs too. */
    private VBox past() {
        VBox entries = new VBox();
        entries.setId("past-logs");
        entries.getStyleClass().add("recent-files");
        Runnable fill = () -> entries.getChildren()
                .setAll(model.past().list().stream().map(this::pastLog).toList());
        model.past().list().addListener((ListChangeListener<PastLog>) change -> fill.run());
        Texts.wordingProperty().addListener((property, before, now) -> fill.run());
        fill.run();
        return entries;
    }

    private Node pastLog(PastLog log) {
        Hyperlink link = new Hyperlink(TEXTS.get(
                "past.entry",
                log.at().format(DateTimeFormatter.ofPattern(today(log) ? "HH:mm" : "yyyy-MM-dd HH:mm", Locale.ROOT)),
                new File(log.source().get()).getName(),
                String.join(", ", log.causes()),
                VerdictText.gist(log.logs())));
        link.setTooltip(new Tooltip(log.source().get()));
        link.setWrapText(true);
        link.setOnAction(e -> model.reopen(log));
        return link;
    }

    private static boolean today(PastLog log) {
        return log.at().toLocalDate().equals(LocalDate.now());
    }
}
