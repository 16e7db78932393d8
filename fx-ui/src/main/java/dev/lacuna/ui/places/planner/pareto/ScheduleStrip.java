package dev.lacuna.ui.places.planner.pareto;

import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.ui.parts.PaintedRegion;
import dev.lacuna.ui.text.Texts;
import java.util.List;
import javafx.geometry.VPos;
import javafx.scene.canvas.GraphicsContext;
import javafx.scene.control.Tooltip;
import javafx.scene.input.MouseEvent;
import javafx.scene.text.TextAlignment;

/** What the chosen plan does with each layer: a cell with a letter, or how often it is computed. */
final class ScheduleStrip extends PaintedRegion {
    private static final Texts TEXTS = Texts.of("planner");
    private static final double CELL = 22;
    private static final double FONT = 11;

    private final ParetoViewModel model;
    private final Tooltip tip = new Tooltip();
    private Schedule schedule = new Schedule(List.of());

    ScheduleStrip(ParetoViewModel model) {
        super(List.of("ground", "line", "ink", "muted", "keep", "recompute", "swap"));
        this.model = model;
        setId("plan-schedule");
        getStyleClass().add("schedule-strip");
        Tooltip.install(this, tip);
        model.chosenProperty().addListener(any -> show());
        addEventHandler(MouseEvent.MOUSE_MOVED, e -> tip.setText(words(e.getX(), e.getY())));
        show();
    }

    @Override
    protected double computePrefHeight(double width) {
        int rows = (schedule.parts().size() + columns(width) - 1) / columns(width);
        return Math.max(CELL, rows * CELL);
    }

    @Override
    public javafx.geometry.Orientation getContentBias() {
        return javafx.geometry.Orientation.HORIZONTAL;
    }

    private void show() {
        schedule = model.schedule();
        setVisible(!schedule.parts().isEmpty());
        setManaged(!schedule.parts().isEmpty());
        setAccessibleText(schedule.parts().stream()
                .map(Schedule.Part::sign)
                .reduce("", (a, b) -> a + (b.isEmpty() ? "1" : b) + " "));
        repaint();
    }

    private static int columns(double width) {
        return Math.max(1, (int) (width / CELL));
    }

    private String words(double x, double y) {
        int index = (int) (y / CELL) * columns(getWidth()) + (int) (x / CELL);
        if (index < 0 || index >= schedule.parts().size() || x >= columns(getWidth()) * CELL) {
            return "";
        }
        Schedule.Part part = schedule.parts().get(index);
        return part.name() + ": "
                + part.action()
                        .map(a -> TEXTS.get("plan.action." + a.letter()))
                        .orElseGet(() -> TEXTS.get("plan.computed", part.computed()));
    }

    @Override
    protected void paint(GraphicsContext g, double width, double height) {
        g.setFont(boldFont(FONT));
        g.setTextAlign(TextAlignment.CENTER);
        g.setTextBaseline(VPos.CENTER);
        for (int i = 0; i < schedule.parts().size(); i++) {
            double x = i % columns(width) * CELL;
            double y = i / columns(width) * CELL;
            Schedule.Part part = schedule.parts().get(i);
            String colour =
                    part.action().map(ScheduleStrip::colourOf).orElse(part.computed() > 1 ? "recompute" : "keep");
            double strength = colour.equals("keep") ? 0.5 : Math.min(0.9, 0.3 + 0.15 * part.computed());
            g.setFill(colour("ground").interpolate(colour(colour), strength));
            g.fillRoundRect(x + 1, y + 1, CELL - 2, CELL - 2, 5, 5);
            g.setFill(colour("ink"));
            g.fillText(part.sign(), x + CELL / 2, y + CELL / 2, CELL - 4);
        }
    }

    private static String colourOf(LayerAction action) {
        return switch (action) {
            case KEEP -> "keep";
            case SWAP -> "swap";
            case RECOMPUTE -> "recompute";
        };
    }
}
