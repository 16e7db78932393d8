package dev.lacuna.ui.parts;

import javafx.application.ConditionalFeature;
import javafx.application.Platform;
import javafx.beans.value.ObservableValue;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.ButtonBase;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.Tooltip;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.MouseButton;
import javafx.scene.input.MouseEvent;
import org.controlsfx.control.PopOver;
import org.controlsfx.control.PopOver.ArrowLocation;
import org.kordamp.ikonli.javafx.FontIcon;

/**
 * What something means, or all of what it says, beside it: for hands that cannot hover. It stays until it is answered with Escape, the
 * key that opened it, or a click elsewhere, and nothing moves to make room for it.
 */
public final class Explanation {
    private static final double WIDEST = 480;

    /** Of what a program printed before it ended there may be pages. */
    private static final double TALLEST = 360;

    /** How far the arrow reaches into what it points at. */
    private static final double OVERLAP = 4;

    private static final double ARROW = 8;
    private static final double CORNER = 6;

    private final Node owner;
    private final Node words;
    private final PopOver popOver = new PopOver();

    /** Explains this node by these words once it is asked for. */
    public Explanation(Node owner, ObservableValue<String> words) {
        this.owner = owner;
        Paragraph paragraph = AnyScript.of(new Paragraph(words, WIDEST));
        ScrollPane scroll = new ScrollPane(paragraph);
        scroll.getStyleClass().addAll("edge-to-edge", "explanation");
        scroll.setHbarPolicy(ScrollPane.ScrollBarPolicy.NEVER);
        scroll.setMinHeight(0);
        scroll.setMaxHeight(TALLEST);
        scroll.accessibleTextProperty().bind(paragraph.textProperty());
        scroll.addEventFilter(KeyEvent.KEY_PRESSED, e -> {
            if (e.getCode() == KeyCode.ENTER || e.getCode() == KeyCode.SPACE) {
                e.consume();
                popOver.hide();
            }
        });
        this.words = scroll;
        dress();
        popOver.setContentNode(scroll);
    }

    /** Has this button explain itself by these words when it is pressed, and on hover. */
    public static <B extends ButtonBase> B behind(B button, ObservableValue<String> words) {
        Explanation explanation = new Explanation(button, words);
        button.setOnAction(e -> explanation.toggle());
        button.setTooltip(hover(words));
        return button;
    }

    /** Has this label explain itself by these words when it is pressed: with a click, Enter or Space; only while the keyboard reaches it. */
    public static void onRequest(Label label, ObservableValue<String> words) {
        Explanation explanation = new Explanation(label, words);
        label.getStyleClass().add("explained");
        label.accessibleHelpProperty().bind(words);
        label.addEventHandler(MouseEvent.MOUSE_CLICKED, e -> {
            if (label.isFocusTraversable() && e.getButton() == MouseButton.PRIMARY) {
                e.consume();
                explanation.toggle();
            }
        });
        label.addEventHandler(KeyEvent.KEY_PRESSED, e -> {
            if (e.getCode() == KeyCode.ENTER || e.getCode() == KeyCode.SPACE) {
                e.consume();
                explanation.toggle();
            }
        });
    }

    /** The same, always, and on hover: of a label whose words are a name. */
    public static <L extends Label> L of(L label, ObservableValue<String> words) {
        onRequest(label, words);
        label.setFocusTraversable(true);
        label.setTooltip(hover(words));
        return label;
    }

    /** A small button with an i on it that tells these words. */
    public static Button button(String id, ObservableValue<String> name, ObservableValue<String> words) {
        Button button = new Button(null, new FontIcon("fth-info"));
        button.setId(id);
        button.getStyleClass().addAll("button-icon", "flat", "small");
        button.accessibleTextProperty().bind(name);
        return behind(button, words);
    }

    /** The same words under the pointer. */
    public static Tooltip hover(ObservableValue<String> words) {
        Tooltip tip = new Tooltip();
        tip.textProperty().bind(words);
        tip.setWrapText(true);
        tip.setMaxWidth(WIDEST);
        return tip;
    }

    /** Tells it, or has told it. */
    public void toggle() {
        if (popOver.isShowing()) {
            popOver.hide();
        } else if (owner.getScene() != null) {
            // Above what lies in the lower half of the window, below the rest: it never covers what it explains.
            double middle = owner.localToScene(owner.getLayoutBounds()).getCenterY();
            boolean above = middle > owner.getScene().getHeight() / 2;
            popOver.setArrowLocation(above ? ArrowLocation.BOTTOM_CENTER : ArrowLocation.TOP_CENTER);
            popOver.show(owner, shaped() ? OVERLAP : -OVERLAP);
            words.requestFocus();
        }
    }

    /** The theme's and our own sheets dress it. ControlsFX's own lies above those of the window, and knows one theme. */
    private void dress() {
        popOver.getRoot().getStylesheets().clear();
        popOver.setAnimated(false);
        popOver.setDetachable(false);
        popOver.setAutoHide(true);
        // Where no compositor runs, what a window leaves free is white: then it is a rectangle.
        popOver.setArrowSize(shaped() ? ARROW : 0);
        popOver.setCornerRadius(shaped() ? CORNER : 0);
    }

    private static boolean shaped() {
        return Platform.isSupported(ConditionalFeature.TRANSPARENT_WINDOW);
    }
}
