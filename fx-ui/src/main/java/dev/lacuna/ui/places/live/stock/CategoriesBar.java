package dev.lacuna.ui.places.live.stock;

import dev.lacuna.bridge.StockControl.Categories;
import dev.lacuna.ui.chart.Legend;
import dev.lacuna.ui.chart.StackBar;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import javafx.scene.control.Label;
import javafx.scene.layout.VBox;

/** What tensors are of: one bar, and its figures below. */
final class CategoriesBar extends VBox {
    private static final Texts TEXTS = Texts.of("stock");

    private static final String[] NAMES = {"parameters", "gradients", "optimizer", "activations", "other"};

    private final StackBar bar = new StackBar(NAMES);
    private final Legend figures = new Legend();

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
            Label figure = new Label(TEXTS.get("category." + NAMES[i], ByteText.of(bytes[i])));
            figure.getStyleClass().addAll("muted", "small");
            figures.getChildren().add(Legend.entry(Legend.square(NAMES[i]), figure));
        }
    }
}
