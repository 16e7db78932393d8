package dev.lacuna.ui.settings;

/**
 * Where the window stands, in pixels of the screen's coordinates.
 *
 * @param x left edge
 * @param y top edge
 * @param width &gt; 0
 * @param height &gt; 0
 * @param maximised whether it fills the screen; the other figures are then what it returns to
 */
public record WindowBounds(double x, double y, double width, double height, boolean maximised) {}
