package dev.lacuna.ui.places.swap;

import dev.lacuna.bridge.LayerPlace;
import dev.lacuna.ui.text.ByteText;
import java.util.List;
import java.util.Locale;
import javafx.geometry.Orientation;
import javafx.geometry.Pos;
import javafx.scene.AccessibleRole;
import javafx.scene.canvas.GraphicsContext;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollBar;
import javafx.scene.input.KeyEvent;

/** One row per layer: its name, what is done with it, and a bar of where its bytes are, all rows to one scale. */
final class LayerChart extends Painting {
    static final double ROW = 22;
    private static final double BAR = 12;
    private static final double PAD = 4;
    private static final double SCROLL_BAR = 12;
    private static final double SHARE_OF_NAME = 0.3;
    private static final double ACTION_WIDTH = 76;
    private static final double TOTAL_WIDTH = 74;
    private static final List<Tone> PLACES = List.of(Tone.DEVICE, Tone.OUT, Tone.HOST, Tone.IN);

    private final ScrollBar scroll = new ScrollBar();
    private final Label card = new Label();
    private List<LayerPlace> layers = List.of();
    private long scaleBytes = 1;
    private String nothing = "";
    private boolean reported;
    private int hovered = -1;

    LayerChart() {
        getStyleClass().add("layer-chart");
        setId("swap-layers");
        scroll.setOrientation(Orientation.VERTICAL);
        scroll.setManaged(false);
        scroll.valueProperty().addListener((property, before, now) -> repaint());
        card.getStyleClass().add("bar-card");
        card.setManaged(false);
        card.setMouseTransparent(true);
        card.setVisible(false);
        card.setAlignment(Pos.TOP_LEFT);
        getChildren().addAll(scroll, card);
        setMinSize(200, 3 * ROW);
        setFocusTraversable(true);
        setAccessibleRole(AccessibleRole.IMAGE_VIEW);
        setOnScroll(e -> scrollBy(-e.getDeltaY()));
        setOnMouseMoved(e -> hover((int) Math.floor((e.getY() + scroll.getValue()) / ROW)));
        setOnMouseExited(e -> hover(-1));
        setOnMousePressed(e -> requestFocus());
        setOnKeyPressed(this::keyPressed);
    }

    /**
     * Shows these.
     *
     * @param policy whether a policy tells them what to do
     * @param otherwise what stands in the middle where there are none
     */
    void show(List<LayerPlace> next, boolean policy, String otherwise) {
        if (next.equals(layers) && policy == reported && otherwise.equals(nothing)) {
            return;
        }
        if (!names(next).equals(names(layers))) {
            scaleBytes = 1;
        }
        layers = List.copyOf(next);
        reported = policy;
        nothing = otherwise;
        // To the largest ever seen: what is left of a layer at the end of a step would fill the bar otherwise.
        scaleBytes = Math.max(
                scaleBytes, layers.stream().mapToLong(LayerBytes::total).max().orElse(1));
        arrangeScroll();
        hover(hovered);
        setAccessibleText(layers.isEmpty() ? otherwise : SwapText.TEXTS.get("layers.spoken", layers.size()));
        repaint();
    }

    private static List<String> names(List<LayerPlace> layers) {
        return layers.stream().map(LayerPlace::name).toList();
    }

    /** Rows from the first whole one in sight. */
    int firstInSight() {
        return (int) Math.ceil(scroll.getValue() / ROW);
    }

    @Override
    protected void layoutChildren() {
        arrangeScroll();
        super.layoutChildren();
    }

    @Override
    void draw(GraphicsContext g, double width, double height) {
        if (layers.isEmpty()) {
            write(g, nothing, width / 2, height / 2, 0.5, Tone.MUTED);
            return;
        }
        int first = (int) Math.floor(scroll.getValue() / ROW);
        int last = Math.min(layers.size() - 1, (int) Math.floor((scroll.getValue() + height) / ROW));
        double end = width - (scroll.isVisible() ? SCROLL_BAR + PAD : 0);
        for (int i = first; i <= last; i++) {
            row(g, layers.get(i), i * ROW - scroll.getValue(), end, i == hovered);
        }
    }

    private void row(GraphicsContext g, LayerPlace layer, double top, double end, boolean hover) {
        double middle = top + ROW / 2;
        if (hover) {
            g.setFill(colour(Tone.HOVER));
            g.fillRoundRect(0, top, end, ROW, 6, 6);
        }
        double nameWidth = Math.min(240, end * SHARE_OF_NAME);
        write(g, fitted(layer.name(), nameWidth - PAD), PAD, middle, 0, Tone.INK);
        action(g, layer, nameWidth + PAD, middle);
        double from = nameWidth + (reported ? ACTION_WIDTH : 0) + 2 * PAD;
        double room = Math.max(1, end - TOTAL_WIDTH - from);
        g.setFill(colour(Tone.LINE));
        g.fillRoundRect(from, middle - BAR / 2, room, BAR, 4, 4);
        long[] bytes = LayerBytes.of(layer);
        double x = from;
        for (int i = 0; i < bytes.length; i++) {
            double length = bytes[i] == 0 ? 0 : Math.max(1.5, room * bytes[i] / scaleBytes);
            g.setFill(colour(PLACES.get(i)));
            g.fillRect(x, middle - BAR / 2, Math.min(length, from + room - x), BAR);
            x = Math.min(from + room, x + length);
        }
        write(g, ByteText.of(LayerBytes.total(bytes)), end - PAD, middle, 1, Tone.INK);
    }

    /** What is done with it; without a policy that is the mode's business and nothing is said of a layer. */
    private void action(GraphicsContext g, LayerPlace layer, double x, double middle) {
        if (!reported) {
            return;
        }
        boolean differs = layer.asked() != layer.does();
        g.setFill(colour(SwapText.tone(layer.does())));
        g.fillOval(x, middle - 3.5, 7, 7);
        String words = SwapText.action(layer.does()) + (differs ? " *" : "");
        write(g, words, x + 12, middle, 0, differs ? Tone.EXPOSED : Tone.MUTED);
    }

    private void keyPressed(KeyEvent event) {
        int last = layers.size() - 1;
        switch (event.getCode()) {
            case UP -> choose(Math.max(0, hovered - 1));
            case DOWN -> choose(Math.min(last, hovered + 1));
            case PAGE_UP -> scrollBy(-getHeight());
            case PAGE_DOWN -> scrollBy(getHeight());
            case HOME -> choose(0);
            case END -> choose(last);
            default -> {
                return;
            }
        }
        event.consume();
    }

    private void choose(int row) {
        if (row * ROW < scroll.getValue()) {
            scroll.setValue(row * ROW);
        } else if ((row + 1) * ROW > scroll.getValue() + getHeight()) {
            scroll.setValue(Math.min(scroll.getMax(), (row + 1) * ROW - getHeight()));
        }
        hover(row);
    }

    private void scrollBy(double distance) {
        scroll.setValue(Math.max(0, Math.min(scroll.getMax(), scroll.getValue() + distance)));
        hover(-1);
    }

    private void arrangeScroll() {
        double most = Math.max(0, layers.size() * ROW - getHeight());
        scroll.setVisible(most > 0);
        scroll.setMax(most);
        scroll.setVisibleAmount(most <= 0 ? 0 : most * getHeight() / (layers.size() * ROW));
        scroll.setUnitIncrement(ROW);
        scroll.setBlockIncrement(Math.max(ROW, getHeight() - ROW));
        scroll.setValue(Math.min(scroll.getValue(), most));
        scroll.resizeRelocate(getWidth() - SCROLL_BAR, 0, SCROLL_BAR, getHeight());
    }

    private void hover(int row) {
        hovered = row >= 0 && row < layers.size() ? row : -1;
        card.setVisible(hovered >= 0);
        if (hovered >= 0) {
            LayerPlace layer = layers.get(hovered);
            card.setText(words(layer, reported));
            card.autosize();
            double below = (hovered + 1) * ROW - scroll.getValue() + 2;
            boolean fits = below + card.getHeight() <= getHeight();
            card.relocate(
                    Math.max(0, Math.min(getWidth() - card.getWidth() - SCROLL_BAR, getWidth() * SHARE_OF_NAME)),
                    fits ? below : Math.max(0, below - ROW - card.getHeight() - 4));
        }
        repaint();
    }

    private static String words(LayerPlace layer, boolean reported) {
        StringBuilder words = new StringBuilder(layer.name());
        line(words, "place.device", layer.deviceBytes());
        line(words, "place.out", layer.outBytes());
        line(words, "place.host", layer.hostBytes());
        line(words, "place.in", layer.inBytes());
        if (reported) {
            words.append('\n').append(SwapText.TEXTS.get("layers.asked", SwapText.action(layer.asked())));
        }
        if (!layer.why().isEmpty()) {
            String key = "why." + layer.why().toLowerCase(Locale.ROOT);
            words.append('\n')
                    .append(
                            SwapText.TEXTS.has(key)
                                    ? SwapText.TEXTS.get(key)
                                    : SwapText.TEXTS.get("why.other", layer.why()));
        }
        return words.toString();
    }

    private static void line(StringBuilder words, String key, long bytes) {
        words.append('\n').append(SwapText.TEXTS.get("layers.line", SwapText.TEXTS.get(key), ByteText.exact(bytes)));
    }
}
