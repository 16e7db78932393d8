package dev.lacuna.ui.places.swap;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import javafx.geometry.Pos;
import javafx.scene.AccessibleRole;
import javafx.scene.canvas.GraphicsContext;
import javafx.scene.control.Label;
import javafx.scene.input.KeyCode;
import javafx.scene.paint.Color;

/** Bars above and below an axis, with marked places and the figures of the bar under the pointer or the arrow keys. */
final class BarsChart extends Painting {
    private static final double LEAST_LEFT = 44;
    private static final double LABEL_GAP = 8;
    private static final double TOP = 14;
    private static final double RIGHT = 14;
    private static final double BOTTOM = 20;
    private static final double SIGN = 4;

    private final List<Tone> up;
    private final Tone down;
    private final Function<BarsFrame.Bar, String> words;
    private final Label card = new Label();
    private Optional<BarsFrame> frame = Optional.empty();
    private String nothing = "";
    private int hovered = -1;
    private double left = LEAST_LEFT;

    /**
     * @param up tones of the pieces above the axis, from the axis upwards
     * @param down tone of the piece below the axis
     * @param words what is told of a bar that is pointed at
     */
    BarsChart(List<Tone> up, Tone down, Function<BarsFrame.Bar, String> words) {
        this.up = List.copyOf(up);
        this.down = down;
        this.words = words;
        getStyleClass().add("bars-chart");
        card.getStyleClass().add("bar-card");
        card.setManaged(false);
        card.setMouseTransparent(true);
        card.setVisible(false);
        card.setAlignment(Pos.CENTER_LEFT);
        getChildren().add(card);
        setMinSize(160, 90);
        setFocusTraversable(true);
        setAccessibleRole(AccessibleRole.IMAGE_VIEW);
        setOnMouseMoved(e -> hover(barAt(e.getX())));
        setOnMouseExited(e -> hover(-1));
        setOnMousePressed(e -> requestFocus());
        setOnKeyPressed(e -> {
            if (e.getCode() == KeyCode.LEFT || e.getCode() == KeyCode.RIGHT) {
                int last = frame.map(f -> f.bars().size() - 1).orElse(-1);
                int from = hovered < 0 ? last + 1 : hovered;
                hover(Math.max(0, Math.min(last, from + (e.getCode() == KeyCode.LEFT ? -1 : 1))));
                e.consume();
            }
        });
    }

    /** What is shown. */
    List<BarsFrame.Bar> bars() {
        return frame.map(BarsFrame::bars).orElse(List.of());
    }

    /** How many bars of so many units' width fit. */
    int room(double perBar) {
        return (int) Math.max(8, (getWidth() - left - RIGHT) / perBar);
    }

    /**
     * Shows this.
     *
     * @param otherwise what stands in the middle where there is nothing to show
     */
    void show(Optional<BarsFrame> next, String otherwise) {
        if (!next.equals(frame) || !otherwise.equals(nothing)) {
            frame = next;
            nothing = otherwise;
            setAccessibleText(otherwise);
            hover(hovered);
            repaint();
        }
    }

    @Override
    void draw(GraphicsContext g, double width, double height) {
        double right = width - RIGHT;
        double bottom = height - BOTTOM;
        if (frame.isEmpty()) {
            write(g, nothing, width / 2, height / 2, 0.5, Tone.MUTED);
            return;
        }
        BarsFrame shown = frame.get();
        left = Math.ceil(shown.levels().stream()
                .mapToDouble(level -> widthOf(level.words()) + LABEL_GAP + 2)
                .reduce(LEAST_LEFT, Math::max));
        double unit = (bottom - TOP) / (shown.top() + shown.bottom());
        double axis = TOP + shown.top() * unit;
        for (BarsFrame.Tick level : shown.levels()) {
            double y = Math.round(axis - level.at() * unit) + 0.5;
            g.setStroke(colour(Tone.LINE));
            g.strokeLine(left, y, right, y);
            write(g, level.words(), left - LABEL_GAP, y, 1, Tone.MUTED);
        }
        for (BarsFrame.Tick place : shown.places()) {
            double x = Math.max(left + 12, Math.min(right - 12, left + place.at() * (right - left)));
            write(g, place.words(), x, bottom + 12, 0.5, Tone.MUTED);
        }
        for (int i = 0; i < shown.bars().size(); i++) {
            bar(g, shown.bars().get(i), i == hovered, axis, unit, right);
        }
        double wordsEnd = left;
        for (BarsFrame.Sign sign : shown.signs()) {
            wordsEnd = sign(g, sign, right, bottom, wordsEnd);
        }
        if (shown.isEmpty() && !nothing.isEmpty()) {
            write(g, nothing, (left + right) / 2, axis - 14, 0.5, Tone.MUTED);
        }
    }

    private void bar(GraphicsContext g, BarsFrame.Bar bar, boolean hover, double axis, double unit, double right) {
        double from = left + bar.from() * (right - left);
        double width = Math.max(1, (bar.to() - bar.from()) * (right - left) - 1);
        if (hover) {
            g.setFill(colour(Tone.HOVER));
            g.fillRect(from - 1, TOP, width + 2, getHeight() - BOTTOM - TOP);
        }
        double y = axis;
        for (int i = 0; i < bar.up().size(); i++) {
            double height = bar.up().get(i) * unit;
            g.setFill(colour(up.get(i)));
            g.fillRect(from, y - height, width, height);
            y -= height;
        }
        g.setFill(colour(down));
        g.fillRect(from, axis, width, bar.down() * unit);
    }

    /** Draws a mark, and its word where that has room; yields where the last word ended. */
    private double sign(GraphicsContext g, BarsFrame.Sign sign, double right, double bottom, double wordsEnd) {
        double x = Math.round(left + sign.at() * (right - left)) + 0.5;
        switch (sign.kind()) {
            // Beside each other where a step has both.
            case RESCUE -> triangle(g, x - SIGN, colour(Tone.RESCUE));
            case REFUSAL, FAILURE -> triangle(g, x + SIGN, colour(Tone.ALARM));
            case MODE, BUDGET -> {
                g.setStroke(colour(Tone.MUTED));
                g.setLineDashes(2, 3);
                g.strokeLine(x, TOP - 4, x, bottom);
                g.setLineDashes();
                double needed = widthOf(sign.words());
                boolean fits = x + 4 + needed < right;
                double from = fits ? x + 4 : x - 4 - needed;
                if (from >= wordsEnd) {
                    write(g, sign.words(), from, TOP - 4, 0, Tone.MUTED);
                    return from + needed + 6;
                }
            }
        }
        return wordsEnd;
    }

    private static void triangle(GraphicsContext g, double x, Color colour) {
        g.setFill(colour);
        g.fillPolygon(new double[] {x - SIGN, x + SIGN, x}, new double[] {2, 2, 2 + 2 * SIGN}, 3);
    }

    private int barAt(double x) {
        double share = (x - left) / Math.max(1, getWidth() - left - RIGHT);
        List<BarsFrame.Bar> bars = frame.map(BarsFrame::bars).orElse(List.of());
        for (int i = 0; i < bars.size(); i++) {
            double end =
                    i + 1 < bars.size() ? bars.get(i + 1).from() : bars.get(i).to();
            if (share >= bars.get(i).from() && share < end) {
                return i;
            }
        }
        return -1;
    }

    private void hover(int bar) {
        List<BarsFrame.Bar> bars = frame.map(BarsFrame::bars).orElse(List.of());
        hovered = bar < bars.size() ? bar : -1;
        card.setVisible(hovered >= 0);
        if (hovered >= 0) {
            card.setText(words.apply(bars.get(hovered)));
            card.autosize();
            double x = left + bars.get(hovered).to() * (getWidth() - left - RIGHT) + 8;
            boolean fits = x + card.getWidth() < getWidth();
            card.relocate(Math.max(0, fits ? x : x - card.getWidth() - 24), TOP + 4);
        }
        repaint();
    }
}
