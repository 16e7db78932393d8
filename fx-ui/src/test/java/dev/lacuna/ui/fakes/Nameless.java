package dev.lacuna.ui.fakes;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Label;
import javafx.scene.control.Labeled;
import javafx.scene.control.ScrollBar;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.Separator;
import javafx.scene.control.TextInputControl;

/** Finds what the keyboard reaches and a screen reader could not name. To be called on the FX thread. */
public final class Nameless {
    private Nameless() {}

    /** Each of them below a node, in words. */
    public static List<String> below(Node root) {
        return visible(root)
                .filter(Node::isFocusTraversable)
                .filter(node -> !(node instanceof ScrollBar || node instanceof ScrollPane || node instanceof Separator))
                .filter(node -> nameOf(node).isBlank())
                .map(node -> node.getClass().getSimpleName() + "#" + node.getId() + node.getStyleClass())
                .toList();
    }

    private static String nameOf(Node node) {
        String own = Objects.requireNonNullElse(node.getAccessibleText(), "");
        String words = node instanceof Labeled labeled ? Objects.requireNonNullElse(labeled.getText(), "") : "";
        String prompt =
                node instanceof TextInputControl input ? Objects.requireNonNullElse(input.getPromptText(), "") : "";
        return own + words + prompt + labelledBy(node);
    }

    private static String labelledBy(Node node) {
        Parent above = node.getParent();
        return above == null
                ? ""
                : above.getChildrenUnmodifiable().stream()
                        .filter(Label.class::isInstance)
                        .map(Label.class::cast)
                        .filter(label -> label.getLabelFor() == node)
                        .map(Label::getText)
                        .findFirst()
                        .orElse("");
    }

    /** What controls are made of has no names of its own. */
    private static Stream<Node> visible(Node node) {
        if (!node.isVisible()) {
            return Stream.empty();
        }
        Stream<Node> children = node instanceof Parent parent
                ? parent.getChildrenUnmodifiable().stream().flatMap(Nameless::visible)
                : Stream.empty();
        return Stream.concat(Stream.of(node), children);
    }
}
