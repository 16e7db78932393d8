package dev.lacuna.ui.window;

import atlantafx.base.theme.Styles;
import dev.lacuna.ui.parts.Copying;
import dev.lacuna.ui.parts.Explanation;
import dev.lacuna.ui.text.Texts;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanBinding;
import javafx.collections.ListChangeListener;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Hyperlink;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.javafx.FontIcon;

/** The notices of the board, one below the other above the status line: in a room of their own, so that they cover nothing. */
final class NoticeStack extends VBox {
    private static final Texts TEXTS = Texts.of("shell");

    /** What a program printed before it ended may be long; a pop-over has all of it. */
    private static final double TALLEST_DETAIL = 64;

    private final NoticeBoard board;

    NoticeStack(NoticeBoard board) {
        this.board = board;
        getStyleClass().add("notices");
        visibleProperty().bind(Bindings.isNotEmpty(board.notices()));
        managedProperty().bind(visibleProperty());
        board.notices().addListener((ListChangeListener<Notice>) change -> rebuild());
        rebuild();
    }

    private void rebuild() {
        getChildren().setAll(board.notices().stream().map(this::card).toList());
    }

    private Node card(Notice notice) {
        FontIcon icon = new FontIcon(notice.kind() == Notice.Kind.DONE ? "fth-check-circle" : "fth-alert-triangle");
        Label headline = Labels.inAnyScript(new Label(notice.headline()));
        headline.getStyleClass().add("notice-headline");
        headline.setWrapText(true);
        VBox words = new VBox(headline);
        words.setAlignment(Pos.CENTER_LEFT);
        HBox.setHgrow(words, Priority.ALWAYS);
        if (!notice.detail().isBlank()) {
            Label detail = Labels.inAnyScript(new Label(notice.detail()));
            detail.getStyleClass().add("muted");
            detail.setWrapText(true);
            detail.setMaxHeight(TALLEST_DETAIL);
            words.getChildren().addAll(detail, all(detail));
        }
        if (!notice.report().isBlank()) {
            Button copy = new Button();
            copy.textProperty().bind(TEXTS.bind("notice.copyReport"));
            copy.getStyleClass().add(Styles.SMALL);
            copy.setOnAction(e -> Copying.copy(notice.report()));
            words.getChildren().add(copy);
        }
        Button close = new Button(null, new FontIcon("fth-x"));
        close.getStyleClass().addAll(Styles.BUTTON_ICON, Styles.FLAT, Styles.SMALL);
        close.accessibleTextProperty().bind(TEXTS.bind("notice.dismiss"));
        close.setOnAction(e -> board.dismiss(notice));
        HBox card = new HBox(icon, words, close);
        card.getStyleClass().addAll("notice", style(notice.kind()));
        return card;
    }

    /** Tells all of a detail that is too long for the stack; only there where it is. */
    private static Node all(Label detail) {
        Hyperlink all = Explanation.behind(new Hyperlink(), detail.textProperty());
        all.getStyleClass().add("notice-all");
        all.textProperty().bind(TEXTS.bind("notice.all"));
        BooleanBinding tooLong = Bindings.createBooleanBinding(
                () -> detail.prefHeight(detail.getWidth()) > TALLEST_DETAIL,
                detail.widthProperty(),
                detail.fontProperty());
        all.visibleProperty().bind(tooLong);
        all.managedProperty().bind(tooLong);
        return all;
    }

    private static String style(Notice.Kind kind) {
        return switch (kind) {
            case DONE -> "done";
            case WARNING -> "warning";
            case FAILED, FAULT -> "failed";
        };
    }
}
