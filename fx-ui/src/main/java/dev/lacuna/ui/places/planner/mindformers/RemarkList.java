package dev.lacuna.ui.places.planner.mindformers;

import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import java.util.Locale;
import javafx.scene.Node;
import javafx.scene.control.Hyperlink;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.javafx.FontIcon;

/** Errors, conflicts, warnings and needs; what has a cell leads to it. */
final class RemarkList extends ScrollPane {
    private static final Texts TEXTS = Texts.of("planner");

    /** More would be made nodes of for nobody to read. */
    private static final int MOST = 200;

    private final MindformersViewModel model;
    private final VBox list = new VBox();

    RemarkList(MindformersViewModel model) {
        this.model = model;
        setId("mf-remarks");
        getStyleClass().add("edge-to-edge");
        list.getStyleClass().add("mf-remarks");
        setContent(list);
        setFitToWidth(true);
        setHbarPolicy(ScrollBarPolicy.NEVER);
        model.remarksProperty().addListener(any -> show());
        Texts.wordingProperty().addListener(any -> show());
        show();
    }

    private void show() {
        list.getChildren().clear();
        if (model.remarksProperty().get().isEmpty()) {
            list.getChildren().add(Labels.of(TEXTS.bind("mf.remarks.none"), "muted"));
        }
        model.remarksProperty().get().stream().limit(MOST).map(this::remark).forEach(list.getChildren()::add);
    }

    private Node remark(Remark remark) {
        FontIcon sign = new FontIcon(
                switch (remark.kind()) {
                    case ERROR -> "fth-x-circle";
                    case CONFLICT -> "fth-alert-triangle";
                    case ENVIRONMENT -> "fth-terminal";
                    case WARNING -> "fth-alert-circle";
                    case EFFECT -> "fth-info";
                    case WITHOUT_EFFECT -> "fth-slash";
                });
        String kind = remark.kind().name().toLowerCase(Locale.ROOT).replace('_', '-');
        sign.getStyleClass().add("mf-remark-" + kind);
        sign.setAccessibleText(TEXTS.get("mf.remark." + kind));
        VBox words = new VBox(Labels.of(TEXTS.bind("mf.remark." + kind), "group-title", "small"));
        Label text = new Label(remark.text());
        text.setWrapText(true);
        text.setMinHeight(Region.USE_PREF_SIZE);
        Labels.inAnyScript(text);
        words.getChildren().add(text);
        if (!remark.where().isEmpty()) {
            Label where = new Label(remark.where());
            where.getStyleClass().addAll("muted", "small", "mono");
            where.setWrapText(true);
            where.setMinHeight(Region.USE_PREF_SIZE);
            words.getChildren().add(where);
        }
        remark.cell().ifPresent(cell -> {
            Hyperlink jump = new Hyperlink();
            jump.textProperty().bind(TEXTS.bind("mf.jump", Integer.toString(cell.layer())));
            jump.setOnAction(e -> model.jump(cell));
            words.getChildren().add(jump);
        });
        HBox.setHgrow(words, Priority.ALWAYS);
        HBox row = new HBox(sign, words);
        row.getStyleClass().add("mf-remark");
        return row;
    }
}
