package dev.lacuna.ui.parts;

import javafx.beans.value.ObservableValue;
import javafx.scene.control.Label;

/** Words as wide as they need to be and no wider than this, which know their height before they are laid out: where a pop-over asks. */
final class Paragraph extends Label {
    private final double widest;

    Paragraph(ObservableValue<String> words, double widest) {
        this.widest = widest;
        textProperty().bind(words);
        setWrapText(true);
    }

    @Override
    protected double computePrefWidth(double height) {
        return Math.min(widest, super.computePrefWidth(height));
    }

    @Override
    protected double computePrefHeight(double width) {
        return super.computePrefHeight(width < 0 ? prefWidth(-1) : width);
    }
}
