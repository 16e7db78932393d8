package dev.lacuna.ui.parts;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javafx.beans.InvalidationListener;
import javafx.css.CssMetaData;
import javafx.css.Styleable;
import javafx.css.StyleableProperty;
import javafx.css.StyleablePropertyFactory;
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
    private static final StyleablePropertyFactory<PaintedRegion> FACTORY =
            new StyleablePropertyFactory<>(Region.getClassCssMetaData());
    private static final List<CssMetaData<PaintedRegion, Color>> COLOURS = metaData();

    private final Canvas canvas = new Canvas();
    private final Label font = new Label();
    private final List<StyleableProperty<Color>> colours = new ArrayList<>();
    private final Map<String, Integer> names = new LinkedHashMap<>();

    /** @param names of the colours, in the order {@code -paint-1}, {@code -paint-2}, … */
    protected PaintedRegion(List<String> names) {
        for (int i = 0; i < MOST_COLOURS; i++) {
            StyleableProperty<Color> colour =
                    new javafx.css.SimpleStyleableObjectProperty<>(COLOURS.get(i), this, "paint" + (i + 1), Color.GRAY);
            ((javafx.beans.Observable) colour).addListener((InvalidationListener) any -> {
                colour.getValue();
                repaint();
            });
            colours.add(colour);
        }
        for (int i = 0; i < names.size(); i++) {
            this.names.put(names.get(i), i);
        }
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
        return colours.get(names.get(name)).getValue();
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
        return FACTORY.getCssMetaData();
    }

    private static List<CssMetaData<PaintedRegion, Color>> metaData() {
        List<CssMetaData<PaintedRegion, Color>> all = new ArrayList<>();
        for (int i = 0; i < MOST_COLOURS; i++) {
            int index = i;
            all.add(FACTORY.createColorCssMetaData(
                    "-paint-" + (i + 1), region -> region.colours.get(index), Color.GRAY, false));
        }
        return all;
    }
}
