package dev.lacuna.ui.fakes;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javafx.geometry.BoundingBox;
import javafx.geometry.Bounds;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Control;
import javafx.scene.control.Labeled;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.TabPane;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.text.TextFlow;

/** Finds nodes that lie on one another, or stick out of what holds them. To be called on the FX thread, after a layout. */
public final class LayoutFaults {
    /** Less than this is a border or a rounded edge. */
    private static final double TOLERANCE = 1.5;

    /** Grounds that are meant to lie under a row of a grid. */
    private static final Set<String> MEANT_TO_LIE_UNDER = Set.of("part-row", "memory-needed");

    /** Panes whose scroll bar stands in the margin of the place. */
    private static final Set<String> MEANT_TO_STICK_OUT = Set.of("verdict-scroll");

    private final List<String> found = new ArrayList<>();

    private LayoutFaults() {}

    /** What is wrong below a node, in words. */
    public static List<String> below(Node root) {
        LayoutFaults faults = new LayoutFaults();
        faults.look(root, new BoundingBox(-1e6, -1e6, 2e6, 2e6));
        return List.copyOf(faults.found);
    }

    /** @param room what can be seen of the node, in the scene */
    private void look(Node node, Bounds room) {
        if (!isShown(node) || !(node instanceof Parent parent)) {
            return;
        }
        if (node instanceof ScrollPane scroll) {
            // What does not fit can be scrolled to, upwards and downwards; nothing here scrolls sideways by accident.
            if (scroll.getContent() != null) {
                look(scroll.getContent(), new BoundingBox(-1e6, -1e6, 2e6, 2e6));
            }
            return;
        }
        if (node instanceof TabPane tabs) {
            look(tabs.getSelectionModel().getSelectedItem().getContent(), inner(node, room));
            return;
        }
        if (node instanceof Control && !(node instanceof Labeled) || node instanceof TextFlow) {
            return;
        }
        Bounds own = inner(node, room);
        List<Node> children = parent.getChildrenUnmodifiable().stream()
                .filter(LayoutFaults::isShown)
                .filter(Node::isManaged)
                .toList();
        if (!(node instanceof StackPane) && !(node instanceof Labeled)) {
            lookForOverlaps(children);
        }
        // Of what sticks out together only the outermost is told.
        children.forEach(child -> look(child, sticksOut(node, child, own) ? sceneBounds(child) : own));
    }

    private boolean sticksOut(Node parent, Node child, Bounds own) {
        Bounds at = sceneBounds(child);
        if (parent instanceof Region
                && !(parent instanceof Labeled)
                && child.getStyleClass().stream().noneMatch(MEANT_TO_STICK_OUT::contains)
                && at.getWidth() > 0
                && at.getHeight() > 0
                && (at.getMinX() < own.getMinX() - TOLERANCE
                        || at.getMinY() < own.getMinY() - TOLERANCE
                        || at.getMaxX() > own.getMaxX() + TOLERANCE
                        || at.getMaxY() > own.getMaxY() + TOLERANCE)) {
            found.add("%s sticks out of %s: %s of %s".formatted(name(child), name(parent), at(at), at(own)));
            return true;
        }
        return false;
    }

    private void lookForOverlaps(List<Node> children) {
        for (int i = 0; i < children.size(); i++) {
            for (int j = i + 1; j < children.size(); j++) {
                Node one = children.get(i);
                Node other = children.get(j);
                if (!isMeantToLieUnder(one) && !isMeantToLieUnder(other) && overlap(one, other)) {
                    found.add("%s lies on %s".formatted(name(one), name(other)));
                }
            }
        }
    }

    private static boolean isMeantToLieUnder(Node node) {
        return node.getStyleClass().stream().anyMatch(MEANT_TO_LIE_UNDER::contains);
    }

    private static boolean overlap(Node one, Node other) {
        Bounds a = sceneBounds(one);
        Bounds b = sceneBounds(other);
        return Math.min(a.getMaxX(), b.getMaxX()) - Math.max(a.getMinX(), b.getMinX()) > TOLERANCE
                && Math.min(a.getMaxY(), b.getMaxY()) - Math.max(a.getMinY(), b.getMinY()) > TOLERANCE;
    }

    private static Bounds inner(Node node, Bounds room) {
        Bounds own = sceneBounds(node);
        if (!(node instanceof Region)) {
            return room;
        }
        double minX = Math.max(own.getMinX(), room.getMinX());
        double minY = Math.max(own.getMinY(), room.getMinY());
        return new BoundingBox(
                minX,
                minY,
                Math.max(0, Math.min(own.getMaxX(), room.getMaxX()) - minX),
                Math.max(0, Math.min(own.getMaxY(), room.getMaxY()) - minY));
    }

    /** Without effects and strokes: where it was laid. */
    private static Bounds sceneBounds(Node node) {
        return node.localToScene(node.getLayoutBounds());
    }

    private static boolean isShown(Node node) {
        return node.isVisible() && node.getOpacity() > 0;
    }

    private static String name(Node node) {
        String text =
                node instanceof Labeled labeled && labeled.getText() != null ? " “" + labeled.getText() + "”" : "";
        String id = node.getId() == null ? "" : "#" + node.getId();
        return node.getClass().getSimpleName() + id + node.getStyleClass() + text;
    }

    private static String at(Bounds bounds) {
        return String.format(
                Locale.ROOT,
                "%.0f,%.0f–%.0f,%.0f",
                bounds.getMinX(),
                bounds.getMinY(),
                bounds.getMaxX(),
                bounds.getMaxY());
    }
}
