package dev.lacuna.ui.places.planner.pareto;

import javafx.scene.canvas.GraphicsContext;
import javafx.scene.paint.Color;

/** The sign of a method: its shape says alone what its colour says. */
final class MethodSign {
    private static final int SHAPES = 5;

    private MethodSign() {}

    /** Draws it around this point; hollow where another plan is better. */
    static void paint(GraphicsContext g, int method, double x, double y, double r, Color colour, boolean filled) {
        g.setFill(filled ? colour : colour.deriveColor(0, 1, 1, 0.35));
        g.setStroke(colour);
        g.setLineWidth(1.2);
        // Eight colours and five shapes have no common factor: forty methods look different.
        switch (method % SHAPES) {
            case 0 -> {
                g.fillOval(x - r, y - r, 2 * r, 2 * r);
                g.strokeOval(x - r, y - r, 2 * r, 2 * r);
            }
            case 1 -> {
                g.fillRect(x - r, y - r, 2 * r, 2 * r);
                g.strokeRect(x - r, y - r, 2 * r, 2 * r);
            }
            case 2 -> polygon(g, new double[] {x - r, x + r, x}, new double[] {y + r, y + r, y - r});
            case 3 -> polygon(g, new double[] {x - r, x, x + r, x}, new double[] {y, y - r, y, y + r});
            default -> polygon(g, new double[] {x - r, x + r, x}, new double[] {y - r, y - r, y + r});
        }
    }

    private static void polygon(GraphicsContext g, double[] xs, double[] ys) {
        g.fillPolygon(xs, ys, xs.length);
        g.strokePolygon(xs, ys, xs.length);
    }
}
