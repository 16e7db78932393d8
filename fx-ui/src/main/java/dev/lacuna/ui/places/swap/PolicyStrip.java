package dev.lacuna.ui.places.swap;

import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import java.util.List;
import javafx.scene.AccessibleRole;
import javafx.scene.canvas.GraphicsContext;

/** A policy as a strip: a piece for every layer from the first to the last, in the colour of what is done with it. */
final class PolicyStrip extends Painting {
    private static final double HEIGHT = 14;
    private static final double GAP_FROM = 4;

    private LayerPolicy policy = new LayerPolicy(List.of());

    PolicyStrip() {
        setMinHeight(HEIGHT);
        setPrefHeight(HEIGHT);
        setMaxHeight(HEIGHT);
        setAccessibleRole(AccessibleRole.IMAGE_VIEW);
    }

    void show(LayerPolicy next) {
        policy = next;
        setAccessibleText(next.letters());
        repaint();
    }

    @Override
    void draw(GraphicsContext g, double width, double height) {
        List<LayerAction> actions = policy.actions();
        double each = width / Math.max(1, actions.size());
        double gap = each > GAP_FROM ? 1 : 0;
        for (int i = 0; i < actions.size(); i++) {
            g.setFill(colour(SwapText.tone(actions.get(i))));
            g.fillRect(i * each, 2, Math.max(0.5, each - gap), height - 4);
        }
    }
}
