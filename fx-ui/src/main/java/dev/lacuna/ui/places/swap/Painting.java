package dev.lacuna.ui.places.swap;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import javafx.application.Platform;
import javafx.beans.InvalidationListener;
import javafx.css.CssMetaData;
import javafx.css.Styleable;
import javafx.css.StyleableProperty;
import javafx.css.StyleablePropertyFactory;
import javafx.geometry.VPos;
import javafx.scene.canvas.Canvas;
import javafx.scene.canvas.GraphicsContext;
import javafx.scene.layout.Region;
import javafx.scene.paint.Color;
import javafx.scene.text.Font;
import javafx.scene.text.Text;
import javafx.scene.text.TextAlignment;

/**
 * A region that paints itself on one canvas, at most once a pulse, in colours and in a font of the style sheets: hundreds of
 * bars are no nodes. Colours are {@code -swap-out} and so on, see {@link Tone}.
 */
abstract class Painting extends Region {
    /** What a colour means. */
    enum Tone {
        GROUND("ground"),
        LINE("line"),
        INK("ink"),
        MUTED("muted"),
        DEVICE("device"),
        OUT("out"),
        HOST("host"),
        IN("in"),
        HIDDEN("hidden"),
        EXPOSED("exposed"),
        RESCUE("rescue"),
        ALARM("alarm"),
        HOVER("hover"),
        KEEP("keep"),
        SWAP("swap"),
        RECOMPUTE("recompute");

        private final String label;

        Tone(String label) {
            this.label = label;
        }
    }

    private static final StyleablePropertyFactory<Painting> FACTORY =
            new StyleablePropertyFactory<>(Region.getClassCssMetaData());

    private final Canvas canvas = new Canvas();
    /** Never seen: a canvas takes no font from style sheets, so this one does. */
    private final Text pen = new Text("0");

    private final List<StyleableProperty<Color>> colours = new ArrayList<>();
    private boolean paintIsDue;

    Painting() {
        for (Tone tone : Tone.values()) {
            StyleableProperty<Color> colour =
                    FACTORY.createStyleableColorProperty(this, tone.label, "-swap-" + tone.label, of(tone), Color.GRAY);
            colours.add(colour);
            ((javafx.beans.Observable) colour).addListener((InvalidationListener) any -> {
                colour.getValue();
                repaint();
            });
        }
        getStyleClass().add("swap-painting");
        pen.getStyleClass().add("painted-words");
        pen.setVisible(false);
        pen.setManaged(false);
        pen.fontProperty().addListener((property, before, now) -> repaint());
        canvas.setManaged(false);
        getChildren().addAll(canvas, pen);
        sceneProperty().addListener((property, before, now) -> repaint());
    }

    /** Paints everything anew; the ground is there. */
    abstract void paint(GraphicsContext g, double width, double height);

    /** There is something new to show; many calls in one turn paint once. */
    final void repaint() {
        if (!paintIsDue && getScene() != null) {
            paintIsDue = true;
            Platform.runLater(this::paintNow);
        }
    }

    final Color colour(Tone tone) {
        return colours.get(tone.ordinal()).getValue();
    }

    /** Writes words centred on a height; {@code anchor} is the share of their width that lies left of x. */
    final void write(GraphicsContext g, String words, double x, double y, double anchor, Tone tone) {
        g.setFill(colour(tone));
        g.setTextAlign(anchor == 0 ? TextAlignment.LEFT : anchor == 1 ? TextAlignment.RIGHT : TextAlignment.CENTER);
        g.fillText(words, Math.round(x), Math.round(y));
    }

    /** Width of words in the font of the style sheets. */
    final double widthOf(String words) {
        Text measure = new Text(words);
        measure.setFont(pen.getFont());
        return measure.getLayoutBounds().getWidth();
    }

    /** The end of words where not all fit: of a module's path the end tells more than the beginning. */
    final String fitted(String words, double room) {
        if (widthOf(words) <= room) {
            return words;
        }
        int from = 1;
        while (from < words.length() && widthOf("…" + words.substring(from)) > room) {
            from++;
        }
        return "…" + words.substring(from);
    }

    @Override
    protected void layoutChildren() {
        repaint();
    }

    @Override
    public List<CssMetaData<? extends Styleable, ?>> getCssMetaData() {
        return FACTORY.getCssMetaData();
    }

    private static Function<Painting, StyleableProperty<Color>> of(Tone tone) {
        return painting -> painting.colours.get(tone.ordinal());
    }

    private void paintNow() {
        paintIsDue = false;
        double width = Math.floor(getWidth());
        double height = Math.floor(getHeight());
        if (getScene() == null || width < 2 || height < 2) {
            return;
        }
        canvas.setWidth(width);
        canvas.setHeight(height);
        GraphicsContext g = canvas.getGraphicsContext2D();
        Font font = pen.getFont();
        g.setFont(font);
        g.setTextBaseline(VPos.CENTER);
        g.setFill(colour(Tone.GROUND));
        g.fillRect(0, 0, width, height);
        paint(g, width, height);
    }
}
