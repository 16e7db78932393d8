package dev.lacuna.ui.places.recording.timeline;

import java.util.ArrayDeque;
import java.util.Deque;

/** Which stretch of an axis is shown, and which ones were before it. Knows no pixels and no nodes. */
final class AxisWindow {
    private static final int MOST_BACK = 64;

    /** How what is shown was last changed: many small steps of one kind are undone together. */
    private enum Change {
        JUMP,
        ZOOM,
        PAN
    }

    private final Deque<double[]> before = new ArrayDeque<>();
    private double extent = 1;
    private double shortest = 1;
    private double from;
    private double to = 1;
    private Change last = Change.JUMP;

    /** Another axis: all of it is shown, and nothing was before. */
    void begin(HistoryAxis axis) {
        extent = axis.extent();
        shortest = axis.shortest();
        from = 0;
        to = extent;
        before.clear();
        last = Change.JUMP;
    }

    double from() {
        return from;
    }

    double to() {
        return to;
    }

    double extent() {
        return extent;
    }

    double span() {
        return to - from;
    }

    /** The place at this share of what is shown. */
    double at(double share) {
        return from + share * span();
    }

    /** Where a place lies in what is shown: 0 at the left edge, 1 at the right one, beyond outside. */
    double share(double place) {
        return (place - from) / span();
    }

    boolean isWhole() {
        return from <= 0 && to >= extent;
    }

    /** Shrinks ({@code factor < 1}) or widens it around the place at this share, which stays where it is. {@link #back} undoes a run of them. */
    void zoomAround(double factor, double share) {
        double anchor = at(share);
        double span = Math.max(shortest, Math.min(extent, span() * factor));
        change(Change.ZOOM, anchor - share * span, span);
    }

    /** Moves by a share of its width, positive to later places. {@link #back} undoes a run of them. */
    void pan(double share) {
        change(Change.PAN, from + share * span(), span());
    }

    /** Shows exactly this stretch, as far as it is not too short; {@link #back} undoes it. */
    void show(double wantedFrom, double wantedTo) {
        show(Change.JUMP, wantedFrom, wantedTo);
    }

    /** Shows exactly this stretch, as one of many while it is dragged. */
    void follow(double wantedFrom, double wantedTo) {
        show(Change.PAN, wantedFrom, wantedTo);
    }

    private void show(Change how, double wantedFrom, double wantedTo) {
        double span = Math.max(shortest, Math.min(extent, wantedTo - wantedFrom));
        change(how, (wantedFrom + wantedTo) / 2 - span / 2, span);
    }

    /** Moves so that a place is seen, in the middle; returns whether it was not seen before. */
    boolean reveal(double place) {
        boolean hidden = place < from || place > to;
        if (hidden) {
            move(place - span() / 2, span());
        }
        return hidden;
    }

    /** Shows everything; {@link #back} undoes it. */
    void reset() {
        change(Change.JUMP, 0, extent);
    }

    /** What was shown before the last jump, or before the last run of zooming or moving; returns false when there was none. */
    boolean back() {
        if (before.isEmpty()) {
            return false;
        }
        double[] shown = before.pop();
        from = shown[0];
        to = shown[1];
        last = Change.JUMP;
        return true;
    }

    private void change(Change how, double wanted, double span) {
        double[] shown = {from, to};
        move(wanted, span);
        boolean moved = from != shown[0] || to != shown[1];
        if (moved && (how == Change.JUMP || how != last)) {
            before.push(shown);
            if (before.size() > MOST_BACK) {
                before.removeLast();
            }
        }
        if (moved) {
            last = how;
        }
    }

    private void move(double wanted, double span) {
        from = Math.max(0, Math.min(extent - span, wanted));
        to = from + span;
    }
}
