package dev.lacuna.ui.places.diagnose;

import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.Pane;
import javafx.scene.layout.Region;

/** The card to scale: coloured pieces from left to right, the needed size outlined over the room there was. */
final class MemoryBar extends Pane {
    private static final Texts TEXTS = Texts.of("diagnose");
    private static final double HEIGHT = 36;

    /** Opacity of what is not meant. */
    private static final double FADED = 0.35;

    /** The outline stands out of the bar by this much. */
    private static final double OUTLINE = 5;

    /** A piece that is there is seen, however small. */
    private static final double MIN_PIECE = 3;

    private final List<Label> pieces = new ArrayList<>();
    private final Region needed = new Region();
    private Optional<CardPicture> picture = Optional.empty();

    MemoryBar() {
        getStyleClass().add("memory-bar");
        needed.getStyleClass().add("memory-needed");
        needed.setMouseTransparent(true);
        setMinHeight(HEIGHT + 2 * OUTLINE);
        setPrefHeight(HEIGHT + 2 * OUTLINE);
        setMinWidth(0);
    }

    /** Shows this picture. */
    void show(CardPicture next) {
        picture = Optional.of(next);
        pieces.clear();
        for (CardPicture.Piece piece : next.pieces()) {
            String name = TEXTS.get("piece." + piece.kind().style());
            Label label = new Label(name + " " + ByteText.of(piece.bytes()));
            label.getStyleClass().addAll("memory-piece", piece.kind().style());
            label.setTooltip(new Tooltip(name + "\n" + ByteText.exact(piece.bytes())));
            pieces.add(label);
        }
        getChildren().setAll(pieces);
        getChildren().add(needed);
        requestLayout();
    }

    /** Lets the piece of this style stand out; none when empty, and all when no piece has it. */
    void point(Optional<String> style) {
        boolean any = pieces.stream()
                .anyMatch(p -> style.filter(p.getStyleClass()::contains).isPresent());
        for (Label piece : pieces) {
            boolean meant = style.filter(piece.getStyleClass()::contains).isPresent();
            piece.setOpacity(any && !meant ? FADED : 1);
        }
        needed.setOpacity(style.filter(s -> !s.equals("tried")).isPresent() ? FADED : 1);
    }

    @Override
    protected void layoutChildren() {
        picture.ifPresent(this::layOut);
    }

    private void layOut(CardPicture card) {
        double scale = getWidth() / card.totalBytes();
        double x = 0;
        for (int i = 0; i < pieces.size(); i++) {
            Label label = pieces.get(i);
            double width = Math.max(MIN_PIECE, card.pieces().get(i).bytes() * scale);
            // Pieces widened to be seen must not push the last one out of the bar.
            double shown = Math.min(width, getWidth() - x - MIN_PIECE * (pieces.size() - 1 - i));
            // Words that do not fit are left to the legend.
            boolean fits = label.prefWidth(-1) <= shown;
            label.setTextOverrun(javafx.scene.control.OverrunStyle.CLIP);
            label.pseudoClassStateChanged(javafx.css.PseudoClass.getPseudoClass("narrow"), !fits);
            label.resizeRelocate(x, OUTLINE, Math.max(1, shown - 1), HEIGHT);
            x += shown;
        }
        needed.setVisible(card.neededBytes().isPresent());
        double from = Math.min(card.neededFromBytes() * scale, getWidth() - MIN_PIECE * 2);
        double width = card.neededBytes().orElse(0) * scale;
        if (width > getWidth() - from) {
            // More than all the room: outlined from where it would still end at the card's end, at most the whole card.
            from = Math.max(0, getWidth() - width);
        }
        needed.resizeRelocate(from - 2, 0, Math.min(width, getWidth()) + 3, HEIGHT + 2 * OUTLINE);
    }
}
