package dev.lacuna.ui.parts;

import dev.lacuna.ui.chart.SheetColours;
import java.util.List;
import java.util.stream.IntStream;
import javafx.css.CssMetaData;
import javafx.css.Styleable;
import javafx.scene.canvas.Canvas;
import javafx.scene.canvas.GraphicsContext;
import javafx.scene.control.Label;
import javafx.scene.layout.Region;
import javafx.scene.paint.Color;
import javafx.scene.text.Font;
import javafx.scene.text.FontWeight;

/**
 * A region that draws itself on one canvas as large as it is, in colours that the style sheets give: {@code -paint-1} and so on, named by
 * the subclass. It is drawn at most once a pulse.
 */
public abstract class PaintedRegion extends Region {
    private static final int MOST_COLOURS = 16;
    private static final SheetColours.Kind<PaintedRegion> COLOURS = new SheetColours.Kind<>(
            "-paint-",
            IntStream.rangeClosed(1, MOST_COLOURS).mapToObj(Integer::toString).toList(),
            region -> region.colours);

    private final Canvas canvas = new Canvas();
    private final Label font = new Label();
    private final SheetColours colours = COLOURS.in(this, this::repaint);
    private final List<String> names;

    /** @param names of the colours, in the order {@code -paint-1}, {@code -paint-2}, … */
    protected PaintedRegion(List<String> names) {
        this.names = List.copyOf(names);
        canvas.setManaged(false);
        font.setManaged(false);
        font.setVisible(false);
        font.fontProperty().addListener(any -> repaint());
        getChildren().addAll(canvas, font);
        getStyleClass().add("painted");
    }

    /** Draws everything anew; the canvas is clear. */
    protected abstract void paint(GraphicsContext g, double width, double height);

    /** The colour of this name. */
    protected final Color colour(String name) {
        return colours.get(names.indexOf(name));
    }

    /** The font of the window's language, in this size. */
    protected final Font font(double size) {
        return Font.font(font.getFont().getFamily(), size);
    }

    /** The same in bold. */
    protected final Font boldFont(double size) {
        return Font.font(font.getFont().getFamily(), FontWeight.BOLD, size);
    }

    /** Asks to be drawn anew. */
    protected final void repaint() {
        requestLayout();
    }

    @Override
    protected void layoutChildren() {
        double width = getWidth();
        double height = getHeight();
        canvas.setWidth(width);
        canvas.setHeight(height);
        GraphicsContext g = canvas.getGraphicsContext2D();
        g.clearRect(0, 0, width, height);
        if (width > 0 && height > 0) {
            paint(g, width, height);
        }
    }

    @Override
    public List<CssMetaData<? extends Styleable, ?>> getCssMetaData() {
        return COLOURS.metaData();
    }
}
