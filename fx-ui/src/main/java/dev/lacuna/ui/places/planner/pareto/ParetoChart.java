package dev.lacuna.ui.places.planner.pareto;

import dev.lacuna.core.planning.ParetoCurve;
import dev.lacuna.core.planning.method.PlanPoint;
import dev.lacuna.core.planning.method.PlanningMethod;
import dev.lacuna.core.planning.method.PlanningProfile;
import dev.lacuna.ui.parts.PaintedRegion;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javafx.geometry.VPos;
import javafx.scene.AccessibleRole;
import javafx.scene.Cursor;
import javafx.scene.canvas.GraphicsContext;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.MouseEvent;
import javafx.scene.paint.Color;
import javafx.scene.text.TextAlignment;

/** Every plan that was found, over memory and time; the undominated ones joined, the budget as a line that can be dragged. */
final class ParetoChart extends PaintedRegion {
    private static final Texts TEXTS = Texts.of("planner");
    private static final double LEFT = 60;
    private static final double RIGHT = 16;
    private static final double TOP = 24;
    private static final double BOTTOM = 40;
    private static final double FONT = 11;
    private static final double NEAR = 12;
    private static final List<String> COLOURS = List.of(
            "line", "ink", "muted", "accent", "limit", "front", "ground", "m1", "m2", "m3", "m4", "m5", "m6", "m7",
            "m8");

    private final ParetoViewModel model;
    private Optional<PlanPoint.Planned> hovered = Optional.empty();
    private boolean dragging;

    ParetoChart(ParetoViewModel model) {
        super(COLOURS);
        this.model = model;
        setId("plan-chart");
        getStyleClass().add("pareto-chart");
        setFocusTraversable(true);
        setAccessibleRole(AccessibleRole.IMAGE_VIEW);
        model.curveProperty().addListener(any -> repaint());
        model.budgetProperty().addListener(any -> repaint());
        model.profileProperty().addListener(any -> repaint());
        model.chosenProperty().addListener(any -> tell());
        Texts.wordingProperty().addListener(any -> tell());
        tell();
        focusedProperty().addListener(any -> repaint());
        addEventHandler(MouseEvent.MOUSE_PRESSED, this::press);
        addEventHandler(MouseEvent.MOUSE_DRAGGED, this::drag);
        addEventHandler(MouseEvent.MOUSE_RELEASED, e -> dragging = false);
        addEventHandler(MouseEvent.MOUSE_MOVED, this::hover);
        addEventHandler(MouseEvent.MOUSE_EXITED, e -> {
            hovered = Optional.empty();
            repaint();
        });
        addEventHandler(KeyEvent.KEY_PRESSED, this::key);
    }

    /** Where the budget line stands, in this node's x. */
    double budgetX() {
        return scale().map(s -> LEFT + s.x(model.budgetProperty().get())).orElse(-1.0);
    }

    private Optional<ParetoScale> scale() {
        Optional<PlanningProfile> profile = model.profileProperty().get();
        double width = getWidth() - LEFT - RIGHT;
        double height = getHeight() - TOP - BOTTOM;
        return profile.filter(p -> width > 20 && height > 20)
                .map(p -> ParetoScale.of(p, model.curveProperty().get().planned(), width, height));
    }

    private void tell() {
        setAccessibleText(
                model.chosenProperty().get().map(PlanText::line).orElseGet(() -> TEXTS.get("plan.chart.accessible")));
        repaint();
    }

    private void press(MouseEvent e) {
        requestFocus();
        dragging = Math.abs(e.getX() - budgetX()) <= 6;
        if (!dragging) {
            nearest(e.getX(), e.getY()).ifPresent(model::choose);
        }
        e.consume();
    }

    private void drag(MouseEvent e) {
        if (dragging) {
            scale().ifPresent(s -> model.budgetProperty().set(s.bytes(e.getX() - LEFT)));
        }
        e.consume();
    }

    private void hover(MouseEvent e) {
        boolean onLine = Math.abs(e.getX() - budgetX()) <= 6;
        setCursor(onLine ? Cursor.H_RESIZE : Cursor.DEFAULT);
        hovered = nearest(e.getX(), e.getY());
        repaint();
    }

    private void key(KeyEvent e) {
        long step = scale().map(s -> (s.most() - s.least()) / 100).orElse(0L);
        boolean known = true;
        switch (e.getCode()) {
            case LEFT -> move(e.isShiftDown(), -1, step);
            case RIGHT -> move(e.isShiftDown(), 1, step);
            case HOME -> model.chooseNext(Integer.MIN_VALUE / 2);
            case END -> model.chooseNext(Integer.MAX_VALUE / 2);
            default -> known = false;
        }
        if (known) {
            e.consume();
        }
    }

    private void move(boolean line, int direction, long step) {
        if (line) {
            model.budgetProperty().set(model.budgetProperty().get() + direction * step);
        } else {
            model.chooseNext(direction);
        }
    }

    private Optional<PlanPoint.Planned> nearest(double x, double y) {
        Optional<ParetoScale> scale = scale();
        return scale.flatMap(s -> model.curveProperty().get().planned().stream()
                .filter(p -> distance(s, p, x, y) <= NEAR)
                .min(Comparator.comparingDouble(p -> distance(s, p, x, y))));
    }

    private static double distance(ParetoScale s, PlanPoint.Planned p, double x, double y) {
        return Math.hypot(LEFT + s.x(p.peakBytes()) - x, TOP + s.y(p.overhead()) - y);
    }

    @Override
    protected void paint(GraphicsContext g, double width, double height) {
        scale().ifPresent(s -> {
            axes(g, s, width, height);
            ParetoCurve curve = model.curveProperty().get();
            front(g, s, curve.undominated());
            List<PlanPoint.Planned> front = curve.undominated();
            curve.planned().forEach(p -> point(g, s, p, front.contains(p)));
            budget(g, s, height);
            model.chosenProperty().get().ifPresent(p -> chosen(g, s, p));
            hovered.ifPresent(p -> card(g, s, p, width));
        });
    }

    private void axes(GraphicsContext g, ParetoScale s, double width, double height) {
        g.setFont(font(FONT));
        g.setTextBaseline(VPos.CENTER);
        g.setLineWidth(1);
        g.setTextAlign(TextAlignment.RIGHT);
        for (double at : s.overheads()) {
            double y = Math.round(TOP + s.y(at)) + 0.5;
            g.setStroke(colour("line"));
            g.strokeLine(LEFT, y, width - RIGHT, y);
            g.setFill(colour("muted"));
            g.fillText(String.format(Locale.ROOT, "×%.2f", at), LEFT - 8, y);
        }
        g.setTextAlign(TextAlignment.CENTER);
        for (long at : s.ticks()) {
            double x = Math.round(LEFT + s.x(at)) + 0.5;
            g.setStroke(colour("line"));
            g.strokeLine(x, TOP, x, height - BOTTOM);
            g.setFill(colour("muted"));
            g.fillText(ByteText.of(at), x, height - BOTTOM + 12);
        }
        g.setTextAlign(TextAlignment.RIGHT);
        g.fillText(TEXTS.get("plan.axis.memory"), width - RIGHT, height - 10);
        g.setTextAlign(TextAlignment.LEFT);
        g.fillText(TEXTS.get("plan.axis.time"), 4, 10);
    }

    private void front(GraphicsContext g, ParetoScale s, List<PlanPoint.Planned> front) {
        g.setStroke(colour("front"));
        g.setLineWidth(2);
        for (int i = 0; i + 1 < front.size(); i++) {
            double x = LEFT + s.x(front.get(i).peakBytes());
            double next = LEFT + s.x(front.get(i + 1).peakBytes());
            double y = TOP + s.y(front.get(i).overhead());
            g.strokeLine(x, y, next, y);
            g.strokeLine(next, y, next, TOP + s.y(front.get(i + 1).overhead()));
        }
    }

    private void point(GraphicsContext g, ParetoScale s, PlanPoint.Planned p, boolean undominated) {
        int method = index(p.method());
        double x = LEFT + s.x(p.peakBytes());
        double y = TOP + s.y(p.overhead());
        MethodSign.paint(g, method, x, y, undominated ? 6 : 4, methodColour(method), undominated);
    }

    /** The colour of a method; after eight they begin again, with another sign. */
    private Color methodColour(int method) {
        return colour("m" + (1 + method % 8));
    }

    private int index(String method) {
        List<PlanningMethod> methods = model.methodsProperty().get();
        for (int i = 0; i < methods.size(); i++) {
            if (methods.get(i).id().equals(method)) {
                return i;
            }
        }
        return 0;
    }

    private void budget(GraphicsContext g, ParetoScale s, double height) {
        double x = LEFT + s.x(model.budgetProperty().get());
        g.setStroke(colour("limit"));
        g.setLineWidth(1.5);
        g.setLineDashes(6, 4);
        g.strokeLine(x, TOP - 4, x, height - BOTTOM);
        g.setLineDashes();
        g.setFill(colour("limit"));
        g.fillPolygon(new double[] {x - 6, x + 6, x}, new double[] {TOP - 10, TOP - 10, TOP - 2}, 3);
        g.setFont(font(FONT));
        boolean right = x < getWidth() / 2;
        String budget = ByteText.of(model.budgetProperty().get());
        g.setTextAlign(right ? TextAlignment.LEFT : TextAlignment.RIGHT);
        g.fillText(
                model.spareBytes() > 0
                        ? TEXTS.get("plan.budget.spare", budget, ByteText.of(model.spareBytes()))
                        : TEXTS.get("plan.budget", budget),
                right ? x + 10 : x - 10,
                TOP - 6);
    }

    private void chosen(GraphicsContext g, ParetoScale s, PlanPoint.Planned p) {
        double x = LEFT + s.x(p.peakBytes());
        double y = TOP + s.y(p.overhead());
        g.setStroke(colour(isFocused() ? "accent" : "ink"));
        g.setLineWidth(2);
        g.strokeOval(x - 10, y - 10, 20, 20);
        if (p.leastOverhead().isPresent() && p.leastOverhead().getAsDouble() < p.overhead()) {
            double bound = TOP + s.y(p.leastOverhead().getAsDouble());
            g.setStroke(colour("muted"));
            g.setLineWidth(1.2);
            g.setLineDashes(2, 3);
            g.strokeLine(x, y + 10, x, bound);
            g.setLineDashes();
            g.strokeLine(x - 7, bound, x + 7, bound);
        }
    }

    private void card(GraphicsContext g, ParetoScale s, PlanPoint.Planned p, double width) {
        List<String> lines = new ArrayList<>(PlanText.lines(p));
        double w = 0;
        for (String line : lines) {
            w = Math.max(w, 7.0 * line.codePoints().map(c -> c > 0x2E80 ? 2 : 1).sum());
        }
        w = Math.min(w + 16, width - 20);
        double h = 16 * lines.size() + 10;
        double x = Math.min(LEFT + s.x(p.peakBytes()) + 14, width - w - 6);
        double y = Math.max(4, TOP + s.y(p.overhead()) - h - 10);
        g.setFill(colour("ground"));
        g.setStroke(colour("line"));
        g.setLineWidth(1);
        g.fillRoundRect(x, y, w, h, 6, 6);
        g.strokeRoundRect(x, y, w, h, 6, 6);
        g.setTextAlign(TextAlignment.LEFT);
        for (int i = 0; i < lines.size(); i++) {
            g.setFont(i == 0 ? boldFont(FONT) : font(FONT));
            g.setFill(colour(i == 0 ? "ink" : "muted"));
            g.fillText(lines.get(i), x + 8, y + 13 + 16 * i, w - 16);
        }
    }
}
