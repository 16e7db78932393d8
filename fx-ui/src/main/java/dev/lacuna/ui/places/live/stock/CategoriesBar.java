package dev.lacuna.ui.places.live.stock;

import dev.lacuna.bridge.StockControl.Categories;
import dev.lacuna.ui.chart.StackBar;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import javafx.scene.control.Label;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/** What tensors are of: one bar, and its figures below. */
final class CategoriesBar extends VBox {
    private static final Texts TEXTS = Texts.of("stock");

    /** Each in the colour of the part of memory that it most resembles. */
    private static final String[] NAMES = {"parameters", "gradients", "optimizer", "activations", "other"};

    private final StackBar bar = new StackBar(NAMES);
    private final FlowPane figures = new FlowPane(12, 2);

    CategoriesBar() {
        getStyleClass().add("categories");
        bar.setMaxHeight(12);
        getChildren().addAll(bar, figures);
    }

    void show(Categories now) {
        long[] bytes = {
            now.parametersBytes(), now.gradientsBytes(), now.optimizerBytes(), now.activationsBytes(), now.otherBytes()
        };
        bar.show(now.totalBytes(), bytes);
        figures.getChildren().clear();
        for (int i = 0; i < NAMES.length; i++) {
            Region sign = new Region();
            sign.getStyleClass().addAll("category-sign", NAMES[i]);
            Label figure = new Label(TEXTS.get("category." + NAMES[i], ByteText.of(bytes[i])), sign);
            figure.getStyleClass().addAll("muted", "small");
            figures.getChildren().add(figure);
        }
    }
}
