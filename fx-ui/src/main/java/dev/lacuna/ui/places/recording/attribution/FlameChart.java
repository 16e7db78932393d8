package dev.lacuna.ui.places.recording.attribution;

import dev.lacuna.core.history.attribution.FlameLayout;
import dev.lacuna.core.history.attribution.FlameLayout.Box;
import dev.lacuna.core.history.attribution.FrameTree;
import dev.lacuna.core.history.attribution.StackTree;
import dev.lacuna.ui.parts.PaintedRegion;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntConsumer;
import java.util.function.IntSupplier;
import javafx.geometry.VPos;
import javafx.scene.canvas.GraphicsContext;
import javafx.scene.control.Tooltip;
import javafx.scene.input.KeyCode;
import javafx.scene.input.MouseEvent;
import javafx.scene.paint.Color;
import javafx.util.Duration;

/**
 * The flame graph: one canvas, however many boxes. A click selects a box and gives it the whole width; a click on the top row,
 * or Backspace, goes one box up; H shows all; the wheel and the arrow keys scroll.
 */
final class FlameChart extends PaintedRegion {
    private static final Texts TEXTS = Texts.of("who");
    private static final double ROW = 20;
    private static final double NARROWEST = 2;
    private static final double LABELLED = 28;
    private static final double CHARACTER = 6.4;

    /** Hues for the program's own files. */
    private static final int HUES = 6;

    private final Tooltip card = new Tooltip();
    private final IntConsumer onSelect;
    private final IntSupplier selected;
    private Optional<StackTree> tree = Optional.empty();
    private FlameLayout layout = new FlameLayout(List.of(), 0);
    private int root = FrameTree.ROOT;
    private double scrolled;
    private double arrangedFor;
    private Optional<Box> hovered = Optional.empty();

    /**
     * @param onSelect told which node was chosen
     * @param selected tells which node is selected, −1 for none
     */
    FlameChart(IntConsumer onSelect, IntSupplier selected) {
        super(List.of("ground", "text", "library", "others", "selected", "hovered", "1", "2", "3", "4", "5", "6"));
        this.onSelect = onSelect;
        this.selected = selected;
        getStyleClass().add("flame-chart");
        setId("who-flame");
        setFocusTraversable(true);
        card.setShowDelay(Duration.millis(150));
        card.getStyleClass().add("flame-card");
        setOnMouseMoved(this::hover);
        setOnMouseExited(e -> {
            hovered = Optional.empty();
            repaint();
        });
        setOnMouseClicked(e -> {
            requestFocus();
            at(e).ifPresentOrElse(this::choose, this::up);
        });
        setOnScroll(e -> scroll(-e.getDeltaY()));
        setOnKeyPressed(e -> key(e.getCode()));
    }

    /** Shows this tree; what had the whole width keeps it where it is still there. */
    void show(Optional<StackTree> next) {
        boolean sameShape = tree.isPresent()
                && next.isPresent()
                && tree.get().shape() == next.get().shape();
        if (!sameShape || next.get().bytes(root) <= 0) {
            root = FrameTree.ROOT;
            scrolled = 0;
        }
        tree = next;
        arrange();
    }

    /** Draws anew: the selection has changed. */
    void refresh() {
        repaint();
    }

    /** Boxes that are laid out. */
    FlameLayout shown() {
        return layout;
    }

    @Override
    protected void layoutChildren() {
        if (arrangedFor != getWidth()) {
            arrange();
        }
        super.layoutChildren();
    }

    private void arrange() {
        arrangedFor = getWidth();
        layout = tree.map(t -> FlameLayout.of(t, root, Math.max(1, getWidth()), NARROWEST))
                .orElse(new FlameLayout(List.of(), 0));
        hovered = Optional.empty();
        repaint();
        setAccessibleText(tree.map(t -> TEXTS.get("flame.spoken", ByteText.of(t.bytes(FrameTree.ROOT)), layout.rows()))
                .orElse(""));
    }

    @Override
    protected void paint(GraphicsContext g, double width, double height) {
        g.setFill(colour("ground"));
        g.fillRect(0, 0, width, height);
        scrolled = Math.max(0, Math.min(layout.rows() * ROW - height, scrolled));
        if (tree.isEmpty()) {
            return;
        }
        g.setFont(font(12));
        g.setTextBaseline(VPos.CENTER);
        int chosen = selected.getAsInt();
        for (Box box : layout.boxes()) {
            double y = box.row() * ROW - scrolled;
            if (y > -ROW && y < height) {
                draw(g, box, y, isChosen(box, chosen));
            }
        }
    }

    private void draw(GraphicsContext g, Box box, double y, boolean chosen) {
        boolean isHovered = hovered.filter(box::equals).isPresent();
        double width = Math.max(0.5, box.width() - 1);
        g.setFill(fill(box));
        g.fillRect(box.x(), y, width, ROW - 1);
        if (chosen || isHovered) {
            g.setStroke(colour(chosen ? "selected" : "hovered"));
            g.setLineWidth(chosen ? 2 : 1);
            g.strokeRect(box.x() + 1, y + 1, Math.max(0, width - 2), ROW - 3);
        }
        if (width >= LABELLED) {
            g.setFill(colour("text"));
            g.fillText(fitted(label(box), width - 8), box.x() + 4, y + ROW / 2 - 0.5);
        }
    }

    private Color fill(Box box) {
        if (box.isOthers()) {
            return colour("others");
        }
        return FlameLayout.telling(tree.orElseThrow(), box)
                .map(frame -> FlameLayout.hue(frame, HUES))
                .filter(OptionalInt::isPresent)
                .map(hue -> colour(Integer.toString(1 + hue.getAsInt())))
                .orElseGet(() -> colour("library"));
    }

    private String label(Box box) {
        if (box.isOthers()) {
            return TEXTS.get("flame.others", box.nodes(), ByteText.of(box.bytes()));
        }
        String name = box.first() == FrameTree.ROOT
                ? FrameText.all(tree.orElseThrow())
                : FlameLayout.telling(tree.orElseThrow(), box)
                        .map(FrameText::brief)
                        .orElse("");
        return name + "   " + ByteText.of(box.bytes());
    }

    private static String fitted(String text, double width) {
        int fits = (int) (width / CHARACTER);
        return text.length() <= fits ? text : text.substring(0, Math.max(0, fits - 1)) + "…";
    }

    private boolean isChosen(Box box, int chosen) {
        FrameTree shape = tree.orElseThrow().shape();
        return chosen > FrameTree.ROOT
                && !box.isOthers()
                && box.first() != FrameTree.ROOT
                && shape.depth(chosen) <= shape.depth(box.last())
                && shape.depth(chosen) >= shape.depth(box.first())
                && shape.isWithin(box.last(), chosen);
    }

    private Optional<Box> at(MouseEvent e) {
        int row = (int) Math.floor((e.getY() + scrolled) / ROW);
        return layout.boxes().stream()
                .filter(box -> box.contains(e.getX(), row))
                .findFirst();
    }

    private void hover(MouseEvent e) {
        Optional<Box> now = at(e);
        if (!now.equals(hovered)) {
            hovered = now;
            if (now.isPresent()) {
                card.setText(description(now.get()));
                Tooltip.install(this, card);
            } else {
                Tooltip.uninstall(this, card);
            }
            repaint();
        }
    }

    private String description(Box box) {
        StackTree shown = tree.orElseThrow();
        long all = Math.max(1, shown.bytes(FrameTree.ROOT));
        String held =
                ByteText.of(box.bytes()) + " · " + String.format(Texts.locale(), "%.1f %%", 100.0 * box.bytes() / all);
        if (box.isOthers() || box.first() == FrameTree.ROOT) {
            return label(box) + "\n" + held;
        }
        return TEXTS.get("flame.held", held, shown.blocks(box.first())) + "\n"
                + FrameText.all(shown.line(box.first(), box.last()));
    }

    private void choose(Box box) {
        if (box.row() == 0) {
            up();
        } else if (!box.isOthers()) {
            root = box.first();
            scrolled = 0;
            arrange();
            onSelect.accept(box.last());
        }
    }

    private void up() {
        if (tree.isPresent() && root != FrameTree.ROOT) {
            StackTree shown = tree.get();
            int above = shown.shape().parent(root);
            // Up to the beginning of the line that the node above lies in.
            while (above != FrameTree.ROOT
                    && shown.lineEnd(shown.shape().parent(above)) == shown.lineEnd(above)
                    && shown.shape().parent(above) != FrameTree.ROOT) {
                above = shown.shape().parent(above);
            }
            root = above;
            arrange();
        }
    }

    private void scroll(double by) {
        scrolled += by;
        repaint();
    }

    private void key(KeyCode code) {
        switch (code) {
            case BACK_SPACE -> up();
            case H -> {
                root = FrameTree.ROOT;
                arrange();
            }
            case UP -> scroll(-ROW);
            case DOWN -> scroll(ROW);
            default -> {
                // Keys of the place.
            }
        }
    }
}
