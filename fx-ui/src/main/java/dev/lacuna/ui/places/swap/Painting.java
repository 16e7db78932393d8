package dev.lacuna.ui.places.swap;

import dev.lacuna.ui.parts.PaintedRegion;
import java.util.Locale;
import java.util.stream.Stream;
import javafx.geometry.VPos;
import javafx.scene.canvas.GraphicsContext;
import javafx.scene.paint.Color;
import javafx.scene.text.Text;
import javafx.scene.text.TextAlignment;

/** A painted region in the colours of swapping, see {@link Tone}, that writes words in the font of the style sheets: hundreds of bars are no nodes. */
abstract class Painting extends PaintedRegion {
    /** What a colour means; {@code -paint-1} and so on in this order. */
    enum Tone {
        GROUND,
        LINE,
        INK,
        MUTED,
        DEVICE,
        OUT,
        HOST,
        IN,
        HIDDEN,
        EXPOSED,
        RESCUE,
        ALARM,
        HOVER,
        KEEP,
        SWAP,
        RECOMPUTE;

        private String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Never seen: a canvas takes no font from style sheets, so this one does. */
    private final Text pen = new Text("0");

    Painting() {
        super(Stream.of(Tone.values()).map(Tone::label).toList());
        getStyleClass().add("swap-painting");
        pen.getStyleClass().add("painted-words");
        pen.setVisible(false);
        pen.setManaged(false);
        pen.fontProperty().addListener((property, before, now) -> repaint());
        getChildren().add(pen);
    }

    /** Paints everything anew; the ground is there. */
    abstract void draw(GraphicsContext g, double width, double height);

    @Override
    protected final void paint(GraphicsContext g, double width, double height) {
        g.setFont(pen.getFont());
        g.setTextBaseline(VPos.CENTER);
        g.setFill(colour(Tone.GROUND));
        g.fillRect(0, 0, width, height);
        draw(g, Math.floor(width), Math.floor(height));
    }

    final Color colour(Tone tone) {
        return colour(tone.label());
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
}
