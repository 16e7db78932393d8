package dev.lacuna.ui.parts;

import java.util.ArrayList;
import java.util.List;
import javafx.application.Platform;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;

/**
 * What a place is about, and beside it a column of cards; where there is no room for two columns the cards fold under it. What
 * does not fit into the height can be scrolled to.
 */
public final class FoldingColumns extends StackPane {
    /** Of the place, which is narrower than the window by the rail: it folds below windows of 1,200. */
    private static final double NARROWEST_FOR_TWO = 1110;

    /** Where the cards stand. */
    public enum Side {
        /** At the right. */
        AFTER,
        /** At the left. */
        BEFORE
    }

    private final Region main;
    private final List<Region> cards;
    private final double width;
    private final Side side;
    private boolean folded;

    /**
     * @param main what takes the room that is left
     * @param side where the cards stand while there is room
     * @param width of their column
     * @param cards from top to bottom
     */
    public FoldingColumns(Region main, Side side, double width, Region... cards) {
        this.main = main;
        this.cards = List.of(cards);
        this.width = width;
        this.side = side;
        setMinSize(0, 0);
        setAlignment(Pos.TOP_LEFT);
        arrange();
        widthProperty().addListener((property, before, now) -> {
            boolean narrow = now.doubleValue() > 0 && now.doubleValue() < NARROWEST_FOR_TWO;
            if (narrow != folded) {
                folded = narrow;
                // Not in the middle of the layout that told of the width.
                Platform.runLater(this::arrange);
            }
        });
    }

    private void arrange() {
        getChildren().clear();
        getChildren().add(folded ? folded() : beside());
    }

    private Node beside() {
        VBox column = column(cards);
        CalmScroll beside = new CalmScroll(column);
        beside.setMinWidth(width);
        beside.setPrefWidth(width);
        CalmScroll middle = new CalmScroll(main);
        HBox.setHgrow(middle, Priority.ALWAYS);
        HBox columns = side == Side.AFTER ? new HBox(middle, beside) : new HBox(beside, middle);
        columns.getStyleClass().add("columns");
        return columns;
    }

    private Node folded() {
        HBox others = new HBox();
        others.getStyleClass().add("columns");
        for (List<Region> part : halves()) {
            VBox half = column(part);
            half.setMinWidth(0);
            half.setPrefWidth(width);
            HBox.setHgrow(half, Priority.ALWAYS);
            others.getChildren().add(half);
        }
        VBox.setVgrow(main, Priority.ALWAYS);
        return new CalmScroll(column(List.of(main, others)));
    }

    /** The first card stands beside the others. */
    private List<List<Region>> halves() {
        List<List<Region>> halves = new ArrayList<>();
        halves.add(cards.subList(0, 1));
        if (cards.size() > 1) {
            halves.add(cards.subList(1, cards.size()));
        }
        return halves;
    }

    private static VBox column(List<? extends Region> content) {
        VBox column = new VBox();
        column.getStyleClass().add("column");
        column.getChildren().setAll(content);
        return column;
    }
}
