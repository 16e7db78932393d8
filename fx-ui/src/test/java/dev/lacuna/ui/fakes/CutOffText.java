package dev.lacuna.ui.fakes;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Labeled;
import javafx.scene.control.TextField;
import javafx.scene.text.Text;

/** Finds labels that had to shorten their words, and fields whose prompt does not fit. */
public final class CutOffText {
    private CutOffText() {}

    /**
     * The words of every visible shortened label and cut prompt below, and what is shown of them; to be called on the FX thread.
     *
     * @param meantTo style classes and ids of labels that may shorten theirs, such as long commands
     */
    public static List<String> below(Node root, String... meantTo) {
        List<String> mayShorten = List.of(meantTo);
        return Stream.concat(shortened(root, mayShorten), cutPrompts(root)).toList();
    }

    private static Stream<String> shortened(Node root, List<String> mayShorten) {
        return visible(root)
                .filter(Labeled.class::isInstance)
                .map(Labeled.class::cast)
                .filter(label -> label.getStyleClass().stream().noneMatch(mayShorten::contains))
                .filter(label -> !mayShorten.contains(Objects.requireNonNullElse(label.getId(), "")))
                .filter(CutOffText::isCutOff)
                .map(label -> label.getText() + " → " + shown(label));
    }

    /** A field does not shorten what it asks for, but cuts it. */
    private static Stream<String> cutPrompts(Node root) {
        return visible(root)
                .filter(TextField.class::isInstance)
                .map(TextField.class::cast)
                .filter(field -> field.getText() == null || field.getText().isEmpty())
                .filter(field -> width(field) > room(field) + 1)
                .map(field -> "the prompt “" + field.getPromptText() + "” in " + field.getId());
    }

    private static double width(TextField field) {
        Text prompt = new Text(field.getPromptText());
        prompt.setFont(field.getFont());
        return prompt.getLayoutBounds().getWidth();
    }

    private static double room(TextField field) {
        return field.getWidth()
                - field.getInsets().getLeft()
                - field.getInsets().getRight();
    }

    private static boolean isCutOff(Labeled label) {
        String whole = Objects.requireNonNullElse(label.getText(), "");
        String shown = shown(label);
        return !whole.isEmpty() && (shown.endsWith("…") && !whole.endsWith("…") || shown.endsWith("..."));
    }

    /** lookupAll does not understand a list of selectors, and knows only the kinds that it is told. */
    private static Stream<Node> visible(Node node) {
        if (!node.isVisible()) {
            return Stream.empty();
        }
        Stream<Node> children = node instanceof Parent parent
                ? parent.getChildrenUnmodifiable().stream().flatMap(CutOffText::visible)
                : Stream.empty();
        return Stream.concat(Stream.of(node), children);
    }

    private static String shown(Labeled label) {
        return label.lookupAll(".text").stream()
                .filter(Text.class::isInstance)
                .map(text -> ((Text) text).getText())
                .findFirst()
                .orElse("");
    }
}
