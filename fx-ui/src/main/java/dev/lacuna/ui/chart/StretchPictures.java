package dev.lacuna.ui.chart;

import javafx.scene.layout.Region;

/**
 * Pictures over one axis of which a stretch is shown, and above them an overview of the whole axis with the stretch in it: what
 * {@link StretchGestures} needs to know of them. Places are in the node's coordinates, stretches are shares of the whole axis.
 */
public interface StretchPictures {
    /** Where the mouse is. */
    Region node();

    /** Where the whole axis is drawn. */
    PlotArea overview();

    /** Where the stretch is drawn; of several pictures the uppermost. */
    PlotArea picture();

    /** Whether a place lies in one of the pictures of the stretch. */
    boolean isOverPictures(double x, double y);

    /** Where the stretch begins, 0 … 1. */
    double from();

    /** Where the stretch ends, 0 … 1. */
    double to();

    /** The pointer is over this place of the pictures; x is not a number when it is elsewhere. */
    void hover(double x, double y);

    /** The operator selected what lies between two places. */
    void select(double x1, double x2);

    /** The operator clicked here; twice, if so. */
    void choose(double x, double y, boolean twice);

    /** Moves the stretch by a share of its length. */
    void pan(double share);

    /** Shrinks or widens the stretch around this share of it. */
    void zoomAround(double factor, double share);

    /** Shows this stretch while a hand drags it. */
    void follow(double from, double to);
}
