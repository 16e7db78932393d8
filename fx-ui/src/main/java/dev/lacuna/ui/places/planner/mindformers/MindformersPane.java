package dev.lacuna.ui.places.planner.mindformers;

import atlantafx.base.theme.Styles;
import dev.lacuna.core.config.mindformers.MindformersResult;
import dev.lacuna.ui.parts.Copying;
import dev.lacuna.ui.parts.FileDialogs;
import dev.lacuna.ui.parts.FoldingColumns;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import dev.lacuna.ui.window.Overlay;
import java.io.File;
import java.util.Optional;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanBinding;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ListView;
import javafx.scene.control.OverrunStyle;
import javafx.scene.input.Clipboard;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.javafx.FontIcon;

/** The grid at the left; at the right what is wrong, and what the framework would log. */
public final class MindformersPane extends StackPane {
    private static final Texts TEXTS = Texts.of("planner");
    private static final double SIDE = 340;

    private final MindformersViewModel model;
    private final Overlay overlay;
    private final Runnable choose;
    private final GridView grid;

    public MindformersPane(MindformersViewModel model, Overlay overlay, Runnable choose) {
        this.model = model;
        this.overlay = overlay;
        this.choose = choose;
        this.grid = new GridView(model);
        BooleanBinding shown = model.sourceProperty().isNotEmpty();
        Node welcome = welcome();
        Node content = content();
        showWhile(welcome, shown.not());
        showWhile(content, shown);
        getChildren().addAll(welcome, content);
    }

    /** Opens what is on the clipboard. */
    public void paste() {
        model.paste(
                Optional.ofNullable(Clipboard.getSystemClipboard().getString()).orElse(""));
    }

    /** Shows what saving would change, and asks. */
    public void save() {
        if (model.canSave().get()) {
            SavePreview.show(overlay, model, this::saveAs);
        }
    }

    private void saveAs() {
        String name = model.path().map(path -> new File(path).getName()).orElse("config.yaml");
        FileDialogs.save(this, TEXTS.get("mf.save.as"), name).ifPresent(file -> model.save(file.getAbsolutePath()));
    }

    private Node content() {
        BooleanBinding runs =
                Bindings.createBooleanBinding(() -> model.gridProperty().get().isPresent(), model.gridProperty());
        VBox.setVgrow(grid, Priority.ALWAYS);
        Label cell = new Label();
        cell.setId("mf-cell");
        cell.textProperty()
                .bind(Bindings.createStringBinding(
                        () -> model.gridProperty()
                                .get()
                                .map(g -> CellText.of(
                                        g, model.selectionProperty().get().lead()))
                                .orElse(""),
                        model.gridProperty(),
                        model.selectionProperty(),
                        Texts.wordingProperty()));
        GridTools tools = new GridTools(model);
        VBox card = new VBox(head(tools.history()), tools, grid, legend(), cell);
        card.getStyleClass().addAll("card", "mf-card");
        showWhile(card, runs);
        Node broken = broken();
        showWhile(broken, runs.not());
        StackPane left = new StackPane(card, broken);
        return new FoldingColumns(left, FoldingColumns.Side.AFTER, SIDE, remarks(), lines());
    }

    private Node head(Node history) {
        Button save = new Button(null, new FontIcon("fth-save"));
        save.setId("mf-save");
        save.textProperty().bind(TEXTS.bind("mf.save.button"));
        save.getStyleClass().add(Styles.ACCENT);
        save.setMinWidth(Region.USE_PREF_SIZE);
        BooleanBinding able = model.canSave();
        save.getProperties().put("able", able);
        save.disableProperty().bind(able.not());
        save.setOnAction(e -> save());
        Label state = new Label();
        state.getStyleClass().add("muted");
        state.textProperty()
                .bind(Bindings.createStringBinding(
                        () -> TEXTS.get(model.changedProperty().get() ? "mf.changed" : "mf.unchanged"),
                        model.changedProperty(),
                        Texts.wordingProperty()));
        Label source = new Label();
        source.setId("mf-source");
        source.getStyleClass().add("muted");
        source.setTextOverrun(OverrunStyle.CENTER_ELLIPSIS);
        source.setMinWidth(0);
        source.textProperty().bind(model.sourceProperty());
        state.setMinWidth(Region.USE_PREF_SIZE);
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        Label title = Labels.titled(TEXTS.bind("mf.grid.title"));
        title.setMinWidth(Region.USE_PREF_SIZE);
        HBox row = new HBox(title, source, state, space, history, save);
        row.getStyleClass().add("buttons");
        return row;
    }

    private static Node legend() {
        Label legend = Labels.of(TEXTS.bind("mf.legend"), "muted", "small");
        legend.setWrapText(true);
        legend.setMinHeight(Region.USE_PREF_SIZE);
        return legend;
    }

    private Node broken() {
        FontIcon sign = new FontIcon("fth-alert-triangle");
        sign.getStyleClass().add("failure-sign");
        Label why = new Label();
        why.setId("mf-broken");
        why.textProperty()
                .bind(Bindings.createStringBinding(
                        () -> model.faultProperty().get().isEmpty()
                                ? model.remarksProperty().get().stream()
                                        .findFirst()
                                        .map(remark -> remark.where() + "\n" + remark.text())
                                        .orElse("")
                                : model.faultProperty().get(),
                        model.faultProperty(),
                        model.remarksProperty()));
        Labels.inAnyScript(why);
        why.setWrapText(true);
        why.setMaxWidth(560);
        why.setMinHeight(Region.USE_PREF_SIZE);
        Label title = Labels.titled(Bindings.createStringBinding(
                () -> TEXTS.get(model.faultProperty().get().isEmpty() ? "mf.invalid" : "mf.unreadable"),
                model.faultProperty(),
                Texts.wordingProperty()));
        VBox card = new VBox(sign, title, why, ways());
        card.getStyleClass().addAll("card", "message-card");
        return card;
    }

    private Region remarks() {
        RemarkList remarks = new RemarkList(model);
        VBox.setVgrow(remarks, Priority.ALWAYS);
        VBox card = new VBox(Labels.titled(TEXTS.bind("mf.remarks")), remarks);
        card.getStyleClass().add("card");
        VBox.setVgrow(card, Priority.ALWAYS);
        return card;
    }

    private Region lines() {
        ListView<String> lines = new ListView<>();
        lines.setId("mf-lines");
        lines.getStyleClass().addAll("mono", "small", "mf-lines");
        lines.accessibleTextProperty().bind(TEXTS.bind("mf.lines"));
        model.checkProperty()
                .addListener((property, before, now) -> lines.getItems()
                        .setAll(now.map(GridCheck::result)
                                .filter(MindformersResult.Valid.class::isInstance)
                                .map(result -> ((MindformersResult.Valid) result).lines())
                                .orElse(java.util.List.of())));
        VBox.setVgrow(lines, Priority.ALWAYS);
        Button copy = new Button(null, new FontIcon("fth-copy"));
        copy.textProperty().bind(TEXTS.bind("copy"));
        copy.setOnAction(e -> Copying.copy(String.join("\n", lines.getItems()) + "\n"));
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        HBox head = new HBox(Labels.titled(TEXTS.bind("mf.lines")), space, copy);
        head.getStyleClass().add("buttons");
        VBox card = new VBox(head, lines);
        card.getStyleClass().add("card");
        VBox.setVgrow(card, Priority.ALWAYS);
        return card;
    }

    private Node welcome() {
        FontIcon sign = new FontIcon("fth-grid");
        sign.getStyleClass().add("welcome-sign");
        Label what = wrapped("mf.welcome.what");
        Label how = wrapped("mf.welcome.how");
        how.getStyleClass().add("muted");
        VBox card = new VBox(sign, Labels.titled(TEXTS.bind("mf.welcome.title")), what, how, ways());
        card.getStyleClass().addAll("card", "message-card");
        return card;
    }

    private Node ways() {
        Button open = button("open", "fth-folder", choose);
        open.getStyleClass().add(Styles.ACCENT);
        HBox buttons = new HBox(
                open, button("paste", "fth-clipboard", this::paste), button("example", "fth-play", model::openExample));
        buttons.getStyleClass().add("buttons");
        buttons.setMaxWidth(Region.USE_PREF_SIZE);
        return buttons;
    }

    private static Button button(String key, String icon, Runnable action) {
        Button button = new Button(null, new FontIcon(icon));
        button.getStyleClass().add("mf-way-" + key);
        button.textProperty().bind(TEXTS.bind(key));
        button.setMinWidth(Region.USE_PREF_SIZE);
        button.setOnAction(e -> action.run());
        return button;
    }

    private static Label wrapped(String key) {
        Label label = Labels.of(TEXTS.bind(key));
        label.setWrapText(true);
        label.setMinHeight(Region.USE_PREF_SIZE);
        label.setMaxWidth(560);
        return label;
    }

    private static void showWhile(Node node, BooleanBinding condition) {
        node.getProperties().put(BooleanBinding.class, condition);
        node.visibleProperty().bind(condition);
        node.managedProperty().bind(condition);
    }
}
