package dev.lacuna.ui.places.recording.timeline;

import dev.lacuna.ui.chart.PlotArea;
import dev.lacuna.ui.chart.StretchPictures;
import dev.lacuna.ui.places.recording.focus.EventRange;
import dev.lacuna.ui.places.recording.focus.RecordingSelection;
import java.util.OptionalInt;
import javafx.scene.layout.Region;

/** What the mouse over the timeline of a recording means: a click looks at a moment, and selects the block that it hits. */
final class RecordingPictures implements StretchPictures {
    private final TimelineCharts charts;
    private final TimelineViewModel model;

    RecordingPictures(TimelineCharts charts, TimelineViewModel model) {
        this.charts = charts;
        this.model = model;
    }

    @Override
    public Region node() {
        return charts;
    }

    @Override
    public PlotArea overview() {
        return charts.areas().overview();
    }

    @Override
    public PlotArea picture() {
        return charts.areas().memory();
    }

    @Override
    public boolean isOverPictures(double x, double y) {
        return charts.areas().memory().contains(x, y)
                || charts.areas().lives().contains(x, y)
                || charts.areas().bars().contains(x, y);
    }

    @Override
    public double from() {
        return model.window().from() / model.window().extent();
    }

    @Override
    public double to() {
        return model.window().to() / model.window().extent();
    }

    @Override
    public void hover(double x, double y) {
        charts.hover(x, y);
    }

    /** By the places of the pixels, not by the peaks of their columns: a stretch has the borders that were drawn. */
    @Override
    public void select(double x1, double x2) {
        int one = model.momentAt(picture().share(x1));
        int other = model.momentAt(picture().share(x2));
        model.focus().rangeProperty().set(EventRange.between(one, other));
    }

    @Override
    public void choose(double x, double y, boolean twice) {
        int moment = charts.momentAt(x);
        OptionalInt block = charts.blockAt(x, y);
        model.focus()
                .selectionProperty()
                .set(block.isPresent() ? new RecordingSelection.Allocation(block.getAsInt()) : RecordingSelection.NONE);
        model.focus().momentProperty().set(moment);
        if (twice) {
            model.focus().clearRange();
        }
    }

    @Override
    public void pan(double share) {
        model.pan(share);
    }

    @Override
    public void zoomAround(double factor, double share) {
        model.zoomAround(factor, share);
    }

    @Override
    public void follow(double from, double to) {
        model.follow(from * model.window().extent(), to * model.window().extent());
    }
}
