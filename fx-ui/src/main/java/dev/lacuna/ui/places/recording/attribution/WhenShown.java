package dev.lacuna.ui.places.recording.attribution;

import javafx.beans.InvalidationListener;
import javafx.beans.property.BooleanProperty;
import javafx.scene.Node;

/** Whether the content of a tab is in front: the region that holds it is hidden while another tab is. */
final class WhenShown {
    private WhenShown() {}

    /** Keeps this property true while the node and what holds it can be seen. */
    static void bind(Node node, BooleanProperty shown) {
        InvalidationListener check = any -> shown.set(node.getScene() != null
                && node.isVisible()
                && (node.getParent() == null || node.getParent().isVisible()));
        node.sceneProperty().addListener((property, before, now) -> check.invalidated(property));
        node.visibleProperty().addListener((property, before, now) -> check.invalidated(property));
        node.parentProperty().addListener((property, before, now) -> {
            if (before != null) {
                before.visibleProperty().removeListener(check);
            }
            if (now != null) {
                now.visibleProperty().addListener(check);
            }
            check.invalidated(property);
        });
        check.invalidated(node.sceneProperty());
    }
}
