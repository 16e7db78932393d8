package dev.lacuna.ui.places.planner.estimate;

import dev.lacuna.ui.chart.ByteScale;
import dev.lacuna.ui.parts.PaintedRegion;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import java.util.List;
import java.util.OptionalLong;
import javafx.geometry.VPos;
import javafx.scene.AccessibleRole;
import javafx.scene.canvas.GraphicsContext;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.MouseEvent;
import javafx.scene.paint.Color;
import javafx.scene.paint.Paint;
import javafx.scene.text.Text;
import javafx.scene.text.TextAlignment;

/** Stacked bars side by side under the line of the device's capacity. A click or the arrow keys choose a bar. */
final class StackChart extends PaintedRegion {
    private static final Texts TEXTS = Texts.of("planner");
    private static final double LEFT = 64;
    private static final double RIGHT = 12;
    private static final double TOP = 22;
    private static final double BOTTOM = 24;
    private static final double WIDEST = 96;
    private static final double FONT = 11;
    private static final double ROOM_FOR_SIGN = 14;
    private static final List<String> COLOURS = List.of(
            "line",
            "ink",
            "muted",
            "accent",
            "limit",
            "weights",
            "gradients",
            "optimizer",
            "gathered",
            "activations",
            "loss",
            "overhead",
            "ground");

    private final EstimateViewModel model;

    StackChart(EstimateViewModel model) {
        super(COLOURS);
        this.model = model;
        setId("est-chart");
        getStyleClass().add("stack-chart");
        setFocusTraversable(true);
        setAccessibleRole(AccessibleRole.IMAGE_VIEW);
        model.stacksProperty().addListener(any -> tell());
        model.chosenProperty().addListener(any -> tell());
        model.capacityProperty().addListener(any -> repaint());
        focusedProperty().addListener(any -> repaint());
        addEventHandler(MouseEvent.MOUSE_PRESSED, this::press);
        addEventHandler(KeyEvent.KEY_PRESSED, this::key);
        tell();
    }

    /** The bar at this x; −1 for none. */
    int barAt(double x) {
        int count = model.stacksProperty().get().size();
        if (count == 0 || x < LEFT || x > getWidth() - RIGHT) {
            return -1;
        }
        return Math.min(count - 1, (int) ((x - LEFT) / slot(count)));
    }

    private void tell() {
        List<MemoryStack> stacks = model.stacksProperty().get();
        int chosen = model.chosenProperty().get();
        setAccessibleText(
                chosen >= 0 && chosen < stacks.size()
                        ? TEXTS.get(
                                "est.chart.accessible",
                                stacks.get(chosen).name(),
                                ByteText.of(Math.round(stacks.get(chosen).bytes())))
                        : "");
        repaint();
    }

    private void press(MouseEvent e) {
        requestFocus();
        int bar = barAt(e.getX());
        if (bar >= 0) {
            model.chosenProperty().set(bar);
        }
        e.consume();
    }

    private void key(KeyEvent e) {
        int last = model.stacksProperty().get().size() - 1;
        int move = e.getCode() == KeyCode.LEFT ? -1 : e.getCode() == KeyCode.RIGHT ? 1 : 0;
        if (move != 0 && last >= 0) {
            model.chosenProperty()
                    .set(Math.max(0, Math.min(last, model.chosenProperty().get() + move)));
            e.consume();
        }
    }

    private double slot(int count) {
        return (getWidth() - LEFT - RIGHT) / count;
    }

    @Override
    protected void paint(GraphicsContext g, double width, double height) {
        List<MemoryStack> stacks = model.stacksProperty().get();
        double plot = height - TOP - BOTTOM;
        if (stacks.isEmpty() || plot < 20) {
            return;
        }
        OptionalLong capacity = model.fromTrace() ? OptionalLong.empty() : model.capacityBytes();
        ByteScale scale = new ByteScale();
        scale.fit((long) stacks.stream().mapToDouble(MemoryStack::bytes).max().orElse(0));
        capacity.ifPresent(scale::fit);
        axis(g, scale, width, plot);
        double slot = slot(stacks.size());
        double bar = Math.min(WIDEST, slot * 0.66);
        for (int i = 0; i < stacks.size(); i++) {
            double x = LEFT + (i + 0.5) * slot - bar / 2;
            stack(g, stacks.get(i), i == model.chosenProperty().get(), x, bar, slot, scale, plot);
        }
        capacity.ifPresent(bytes -> limit(g, scale, bytes, width, plot));
    }

    private void axis(GraphicsContext g, ByteScale scale, double width, double plot) {
        g.setFont(font(FONT));
        g.setTextAlign(TextAlignment.RIGHT);
        g.setTextBaseline(VPos.CENTER);
        g.setLineWidth(1);
        for (long at = 0; at <= scale.top(); at += scale.step()) {
            double y = Math.round(TOP + scale.y(at, plot)) + 0.5;
            g.setStroke(colour("line"));
            g.strokeLine(LEFT, y, width - RIGHT, y);
            g.setFill(colour("muted"));
            g.fillText(scale.label(at), LEFT - 8, y);
        }
    }

    private void stack(
            GraphicsContext g,
            MemoryStack stack,
            boolean chosen,
            double x,
            double bar,
            double slot,
            ByteScale scale,
            double plot) {
        double below = 0;
        g.setTextAlign(TextAlignment.CENTER);
        for (MemoryStack.Part part : stack.parts()) {
            double above = below + part.term().value();
            double top = TOP + scale.y(above, plot);
            double bottom = TOP + scale.y(below, plot);
            Color fill = colour(colourOf(part.kind()));
            g.setFill(fill);
            g.fillRect(x, top, bar, Math.max(0.5, bottom - top - 1));
            if (bottom - top >= ROOM_FOR_SIGN && bar >= ROOM_FOR_SIGN) {
                g.setFont(boldFont(FONT));
                g.setFill(light(fill) ? Color.rgb(0, 0, 0, 0.72) : Color.rgb(255, 255, 255, 0.9));
                g.fillText(part.kind().sign(), x + bar / 2, (top + bottom) / 2);
            }
            below = above;
        }
        double top = TOP + scale.y(below, plot);
        g.setFont(stack.binding() ? boldFont(FONT) : font(FONT));
        g.setFill(colour(stack.binding() ? "ink" : "muted"));
        String needs = ByteText.of(Math.round(below));
        double room = Math.min(slot - 4, 6.6 * needs.length() + 6);
        Paint ink = g.getFill();
        // A line of the axis is not to run through the figure.
        g.setFill(colour("ground"));
        g.fillRect(x + bar / 2 - room / 2, top - 16, room, 13);
        g.setFill(ink);
        g.fillText(needs, x + bar / 2, top - 9, slot - 4);
        g.fillText((stack.binding() ? "▲ " : "") + stack.name(), x + bar / 2, TOP + plot + 13, slot - 4);
        if (chosen) {
            g.setStroke(colour(isFocused() ? "accent" : "muted"));
            g.setLineWidth(1.5);
            g.strokeRoundRect(x - 4, top - 3, bar + 8, TOP + plot - top + 5, 6, 6);
        }
    }

    private void limit(GraphicsContext g, ByteScale scale, long bytes, double width, double plot) {
        double y = TOP + scale.y(bytes, plot);
        g.setStroke(colour("limit"));
        g.setLineWidth(1.2);
        g.setLineDashes(6, 4);
        g.strokeLine(LEFT, y, width - RIGHT, y);
        g.setLineDashes();
        String words = model.capacityText(ByteText.of(bytes));
        Text ruler = new Text(words);
        ruler.setFont(font(FONT));
        double room = ruler.getLayoutBounds().getWidth() + 8;
        g.setFill(colour("ground").deriveColor(0, 1, 1, 0.85));
        g.fillRoundRect(width - RIGHT - room, y - 17, room, 15, 4, 4);
        g.setFont(font(FONT));
        g.setFill(colour("limit"));
        g.setTextAlign(TextAlignment.RIGHT);
        g.fillText(words, width - RIGHT - 4, y - 9);
    }

    /** By how bright it looks (Rec. 601), so that the sign on it can be read. */
    private static boolean light(Color fill) {
        return 0.299 * fill.getRed() + 0.587 * fill.getGreen() + 0.114 * fill.getBlue() > 0.5;
    }

    private static String colourOf(MemoryStack.Kind kind) {
        return switch (kind) {
            case WEIGHTS -> "weights";
            case GRADIENTS -> "gradients";
            case OPTIMIZER -> "optimizer";
            case GATHERED, FRAMEWORK -> "gathered";
            case ACTIVATIONS, LIVE -> "activations";
            case LOSS, REBUILT -> "loss";
            case OVERHEAD, CONTEXT -> "overhead";
        };
    }
}
