package dev.lacuna.ui.places.planner.mindformers;

import dev.lacuna.core.config.mindformers.GridPosition;
import dev.lacuna.core.config.mindformers.InexpressibleGridException;
import dev.lacuna.core.config.mindformers.LayerGrid;
import dev.lacuna.ui.parts.PaintedRegion;
import dev.lacuna.ui.text.Texts;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javafx.geometry.Orientation;
import javafx.geometry.VPos;
import javafx.scene.AccessibleRole;
import javafx.scene.canvas.GraphicsContext;
import javafx.scene.control.ScrollBar;
import javafx.scene.paint.Color;
import javafx.scene.text.TextAlignment;

/** Layers from top to bottom, operators from left to right, drawn on one canvas however many there are. */
final class GridView extends PaintedRegion {
    static final double HEAD = 124;
    static final double LABELS = 96;
    private static final double BAR = 12;
    private static final double FONT = 11;
    private static final Texts TEXTS = Texts.of("planner");
    private static final List<String> COLOURS = List.of(
            "ground", "line", "ink", "muted", "accent", "full", "select", "comm", "swap", "excluded", "alarm", "band");

    private final MindformersViewModel model;
    private final ScrollBar bar = new ScrollBar();
    private GridRows rows = new GridRows(List.of());

    GridView(MindformersViewModel model) {
        super(COLOURS);
        this.model = model;
        setId("mf-grid");
        getStyleClass().add("mf-grid");
        setFocusTraversable(true);
        setAccessibleRole(AccessibleRole.TABLE_VIEW);
        bar.setOrientation(Orientation.VERTICAL);
        bar.setManaged(false);
        bar.valueProperty().addListener(any -> repaint());
        getChildren().add(bar);
        model.gridProperty().addListener(any -> regrid());
        model.checkProperty().addListener(any -> repaint());
        model.selectionProperty().addListener(any -> {
            reveal(model.selectionProperty().get().lead());
            tell();
        });
        Texts.wordingProperty().addListener(any -> regrid());
        focusedProperty().addListener(any -> repaint());
        new GridGestures(this, model);
        regrid();
    }

    /** The cell under this point; empty outside. */
    Optional<GridPosition> cellAt(double x, double y) {
        if (rows.rows().isEmpty() || x < LABELS || y < HEAD || x >= getWidth() - BAR) {
            return Optional.empty();
        }
        int column = (int) ((x - LABELS) / columnWidth());
        return Optional.of(new GridPosition(
                rows.layerAt(y - HEAD + bar.getValue()), Math.min(GridPosition.columns() - 1, Math.max(0, column))));
    }

    /** The middle of this cell, in this node's own points, after scrolling to it. */
    javafx.geometry.Point2D middle(GridPosition cell) {
        reveal(cell);
        return new javafx.geometry.Point2D(
                LABELS + (cell.column() + 0.5) * columnWidth(),
                HEAD + rows.top(cell.layer()) - bar.getValue() + GridRows.HEIGHT / 2);
    }

    /** Layers that are seen at once, at least one. */
    int page() {
        return Math.max(1, (int) (viewport() / GridRows.HEIGHT) - 1);
    }

    void scroll(double pixels) {
        bar.setValue(Math.max(0, Math.min(bar.getMax(), bar.getValue() + pixels)));
    }

    private void regrid() {
        rows = model.gridProperty().get().map(g -> GridRows.of(g.rows())).orElse(new GridRows(List.of()));
        fitBar();
        tell();
        repaint();
    }

    private void tell() {
        setAccessibleText(model.gridProperty()
                .get()
                .map(grid -> CellText.of(grid, model.selectionProperty().get().lead()))
                .orElse(""));
        repaint();
    }

    private void reveal(GridPosition cell) {
        double top = rows.top(cell.layer());
        if (top < bar.getValue()) {
            bar.setValue(Math.max(0, top - GridRows.HEIGHT));
        } else if (top + GridRows.HEIGHT > bar.getValue() + viewport()) {
            bar.setValue(Math.min(bar.getMax(), top + GridRows.HEIGHT - viewport()));
        }
    }

    private double viewport() {
        return Math.max(GridRows.HEIGHT, getHeight() - HEAD);
    }

    private double columnWidth() {
        return (getWidth() - LABELS - BAR) / GridPosition.columns();
    }

    private void fitBar() {
        double most = Math.max(0, rows.height() - viewport());
        bar.setMax(most);
        bar.setVisibleAmount(rows.height() <= 0 ? 1 : most * viewport() / rows.height());
        bar.setValue(Math.min(most, bar.getValue()));
        bar.setVisible(most > 0);
    }

    @Override
    protected void layoutChildren() {
        fitBar();
        bar.resizeRelocate(getWidth() - BAR, HEAD, BAR, viewport());
        super.layoutChildren();
    }

    @Override
    protected void paint(GraphicsContext g, double width, double height) {
        g.setFill(colour("ground"));
        g.fillRect(0, 0, width, height);
        Optional<LayerGrid> grid = model.gridProperty().get();
        if (grid.isEmpty()) {
            return;
        }
        head(g);
        g.save();
        g.beginPath();
        g.rect(0, HEAD, width, height - HEAD);
        g.clip();
        Set<GridPosition> wrong = wrong();
        int first = (int) (bar.getValue() / GridRows.HEIGHT);
        for (int i = first; i < rows.rows().size(); i++) {
            double y = HEAD + i * GridRows.HEIGHT - bar.getValue();
            if (y > height) {
                break;
            }
            if (rows.rows().get(i) instanceof GridRows.Row.Heading heading) {
                heading(g, heading, y, width);
            } else if (rows.rows().get(i) instanceof GridRows.Row.Layer layer) {
                layer(g, grid.get(), layer.layer(), y, wrong);
            }
        }
        g.restore();
    }

    private void head(GraphicsContext g) {
        g.setFont(font(FONT));
        g.setTextAlign(TextAlignment.LEFT);
        g.setTextBaseline(VPos.CENTER);
        GridRange selected = model.selectionProperty().get();
        for (int c = 0; c < GridPosition.columns(); c++) {
            boolean marked = selected.contains(new GridPosition(selected.lead().layer(), c));
            String name = c == 0
                    ? TEXTS.get("mf.whole")
                    : shortName(LayerGrid.operators().get(c - 1));
            g.save();
            g.translate(LABELS + (c + 0.5) * columnWidth() - 2, HEAD - 8);
            g.rotate(-48);
            g.setFill(colour(marked ? "ink" : "muted"));
            g.fillText(name, 0, 0);
            g.restore();
        }
    }

    /** Two last parts say enough: {@code w1.matmul}. */
    private static String shortName(String operator) {
        String[] parts = operator.split("\\.", -1);
        int from = Math.max(0, parts.length - 2);
        String name = String.join(".", List.of(parts).subList(from, parts.length));
        return name.startsWith("activation") ? "w1.silu" : name;
    }

    private void heading(GraphicsContext g, GridRows.Row.Heading heading, double y, double width) {
        g.setFill(colour("band"));
        g.fillRect(0, y + 2, width - BAR, GridRows.HEIGHT - 4);
        g.setFill(colour("muted"));
        g.setFont(boldFont(FONT));
        g.setTextAlign(TextAlignment.LEFT);
        g.fillText(
                TEXTS.get("mf.stage", heading.stage(), heading.interleave(), heading.layers()),
                8,
                y + GridRows.HEIGHT / 2);
    }

    private void layer(GraphicsContext g, LayerGrid grid, int layer, double y, Set<GridPosition> wrong) {
        GridRange selected = model.selectionProperty().get();
        g.setFont(font(FONT));
        g.setTextAlign(TextAlignment.LEFT);
        g.setFill(colour(selected.lead().layer() == layer ? "ink" : "muted"));
        g.fillText(TEXTS.get("mf.layer", Integer.toString(layer)), 16, y + GridRows.HEIGHT / 2);
        double column = columnWidth();
        for (int c = 0; c < GridPosition.columns(); c++) {
            GridPosition cell = new GridPosition(layer, c);
            double x = LABELS + c * column;
            cell(g, CellLook.of(grid.rows().get(layer), cell), x, y, column);
            if (wrong.contains(cell)) {
                outline(g, colour("alarm"), x, y, column, 2);
            }
            if (selected.contains(cell)) {
                g.setFill(colour("accent").deriveColor(0, 1, 1, 0.14));
                g.fillRect(x, y, column, GridRows.HEIGHT);
            }
            if (selected.lead().equals(cell)) {
                outline(g, colour(isFocused() ? "accent" : "muted"), x, y, column, 1.5);
            }
        }
    }

    private void cell(GraphicsContext g, CellLook look, double x, double y, double column) {
        double inset = 1.5;
        double w = column - 2 * inset;
        double h = GridRows.HEIGHT - 2 * inset;
        g.setFill(look.colour().isEmpty() ? colour("band").deriveColor(0, 1, 1, 0.45) : fill(look.colour()));
        g.fillRoundRect(x + inset, y + inset, w, h, 5, 5);
        if (!look.letters().isEmpty()) {
            g.setTextAlign(TextAlignment.CENTER);
            g.setFont(boldFont(FONT));
            g.setFill(colour(look.colour()).interpolate(colour("ink"), 0.55));
            g.fillText(look.letters(), x + column / 2, y + GridRows.HEIGHT / 2, w - 4);
        }
        if (look.isVoid()) {
            g.setFill(colour("alarm"));
            double right = x + column - inset;
            g.fillPolygon(
                    new double[] {right - 8, right, right}, new double[] {y + inset, y + inset, y + inset + 8}, 3);
        }
    }

    private Color fill(String name) {
        return colour("ground").interpolate(colour(name), 0.38);
    }

    private static void outline(GraphicsContext g, Color colour, double x, double y, double column, double width) {
        g.setStroke(colour);
        g.setLineWidth(width);
        g.strokeRoundRect(x + 1.5, y + 1.5, column - 3, GridRows.HEIGHT - 3, 5, 5);
    }

    private Set<GridPosition> wrong() {
        Set<GridPosition> cells = new HashSet<>();
        model.checkProperty()
                .get()
                .map(GridCheck::obstacles)
                .orElse(List.of())
                .forEach(obstacle -> obstacle.cells().forEach(cell -> cells.add(of(cell))));
        return cells;
    }

    private static GridPosition of(InexpressibleGridException.Cell cell) {
        return GridPosition.of(cell.layer(), cell.operator());
    }
}
