package dev.lacuna.ui.chart;

import javafx.scene.layout.Region;

/** What the mouse over a timeline means. */
final class ChartPictures implements StretchPictures {
    private final TimelineChart chart;

    ChartPictures(TimelineChart chart) {
        this.chart = chart;
    }

    @Override
    public Region node() {
        return chart;
    }

    @Override
    public PlotArea overview() {
        return chart.overviewArea();
    }

    @Override
    public PlotArea picture() {
        return chart.plot();
    }

    @Override
    public boolean isOverPictures(double x, double y) {
        return chart.plot().contains(x, y);
    }

    @Override
    public double from() {
        return chart.shownShares()[0];
    }

    @Override
    public double to() {
        return chart.shownShares()[1];
    }

    @Override
    public void hover(double x, double y) {
        chart.hover(x);
    }

    @Override
    public void select(double x1, double x2) {
        chart.selectBetween(x1, x2);
    }

    @Override
    public void choose(double x, double y, boolean twice) {
        chart.choose(x);
    }

    @Override
    public void pan(double share) {
        chart.pan(share);
    }

    @Override
    public void zoomAround(double factor, double share) {
        chart.zoomAround(factor, share);
    }

    @Override
    public void follow(double from, double to) {
        chart.show(from, to);
    }
}
