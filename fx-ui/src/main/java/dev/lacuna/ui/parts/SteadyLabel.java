package dev.lacuna.ui.parts;

import javafx.geometry.Pos;
import javafx.scene.control.Label;
import javafx.scene.layout.Region;

/**
 * Wrapped words that change while one looks, above something that is clicked. They keep room for as many lines as they usually
 * take, and all the room that they once took at this width: what lies below must not move away from under the hand.
 */
public final class SteadyLabel extends Label {
    private final int lines;
    private double width = -1;
    private double reached;

    /** @param lines that there is room for from the start, at least 1 */
    public SteadyLabel(int lines) {
        this.lines = lines;
        setWrapText(true);
        setAlignment(Pos.TOP_LEFT);
        setMinHeight(Region.USE_PREF_SIZE);
        setMaxWidth(Double.MAX_VALUE);
    }

    @Override
    protected double computePrefHeight(double within) {
        double needed = super.computePrefHeight(within);
        if (within < 0) {
            return needed;
        }
        if (within != width) {
            width = within;
            reached = 0;
        }
        reached = Math.max(reached, Math.max(needed, usual()));
        return reached;
    }

    /** As many as asked for, of the height that this label gives to one. */
    private double usual() {
        double around = snappedTopInset() + snappedBottomInset();
        return lines * (super.computePrefHeight(Region.USE_COMPUTED_SIZE) - around) + around;
    }
}
