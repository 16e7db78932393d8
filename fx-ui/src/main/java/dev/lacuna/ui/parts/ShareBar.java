package dev.lacuna.ui.parts;

import javafx.beans.property.DoubleProperty;
import javafx.beans.property.SimpleDoubleProperty;
import javafx.scene.layout.Region;

/** A thin bar of which a share is filled; the fill's colour comes from the style class given. */
public final class ShareBar extends Region {
    private final DoubleProperty share = new SimpleDoubleProperty();
    private final Region fill = new Region();

    public ShareBar(String fillStyleClass) {
        getStyleClass().add("share-bar");
        fill.getStyleClass().addAll("share-fill", fillStyleClass);
        getChildren().add(fill);
        share.addListener(any -> requestLayout());
    }

    /** How much is filled; below 0 counts as 0, above 1 as 1. */
    public DoubleProperty shareProperty() {
        return share;
    }

    @Override
    protected void layoutChildren() {
        double shown = Double.isFinite(share.get()) ? Math.max(0, Math.min(1, share.get())) : 0;
        fill.resizeRelocate(0, 0, snapSizeX(getWidth() * shown), getHeight());
        fill.setVisible(shown > 0);
    }
}
