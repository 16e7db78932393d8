package dev.lacuna.ui.window;

import javafx.beans.property.ReadOnlyDoubleProperty;
import javafx.beans.value.ObservableValue;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ProgressBar;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.javafx.FontIcon;

/** What stands in the middle of a place that has nothing to show yet: the way in, the wait, or what went wrong. */
public class MessageCard extends VBox {
    private static final double TEXT_WIDTH = 600;
    private static final double BAR_WIDTH = 320;

    /** A card of these nodes, one below the other. */
    public MessageCard(Node... content) {
        super(content);
        getStyleClass().addAll("card", "message-card");
    }

    /** Tells that something is read, and how far that is. */
    public static MessageCard waiting(ObservableValue<String> what, ReadOnlyDoubleProperty progress, Button cancel) {
        ProgressBar bar = new ProgressBar();
        bar.progressProperty().bind(progress);
        bar.setPrefWidth(BAR_WIDTH);
        return new MessageCard(Labels.inAnyScript(Labels.of(what, "muted")), bar, cancel);
    }

    /** A large icon at the top of a card: {@code welcome-sign} or {@code failure-sign}. */
    public static Node sign(String icon, String styleClass) {
        FontIcon sign = new FontIcon(icon);
        sign.getStyleClass().add(styleClass);
        return sign;
    }

    /** A text of several lines. */
    public static Label wrapped(ObservableValue<String> text) {
        Label label = Labels.inAnyScript(Labels.of(text));
        label.setWrapText(true);
        label.setMinHeight(Region.USE_PREF_SIZE);
        label.setMaxWidth(TEXT_WIDTH);
        return label;
    }

    /** What can be done, side by side. */
    public static HBox buttons(Button... buttons) {
        HBox row = new HBox(buttons);
        row.getStyleClass().add("buttons");
        row.setMaxWidth(Region.USE_PREF_SIZE);
        return row;
    }
}
