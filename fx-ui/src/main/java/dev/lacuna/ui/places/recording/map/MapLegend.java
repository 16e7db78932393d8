package dev.lacuna.ui.places.recording.map;

import dev.lacuna.ui.blockmap.BlockMapView;
import dev.lacuna.ui.blockmap.LegendEntry;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.image.ImageView;
import javafx.scene.layout.FlowPane;

/** What the colours and hatchings of the map mean. */
final class MapLegend extends FlowPane {
    private final BlockMapView view;

    MapLegend(BlockMapView view) {
        this.view = view;
        getStyleClass().add("block-legend");
        // Squeezed to one row, its others would be painted over the map.
        setMinHeight(USE_PREF_SIZE);
    }

    void show(MapPicture picture) {
        getChildren().setAll(MapWords.legend(picture).stream().map(this::node).toList());
    }

    private Node node(LegendEntry entry) {
        ImageView swatch = new ImageView(view.swatch(entry.kind(), entry.tone()));
        if (entry.words().isEmpty()) {
            return swatch;
        }
        Label label = new Label(entry.words(), swatch);
        label.getStyleClass().addAll("muted", "small");
        return label;
    }
}
