package dev.lacuna.ui.places.live.phase;

import dev.lacuna.ui.chart.PlotArea;
import dev.lacuna.ui.chart.TimeRange;
import dev.lacuna.ui.parts.PaintedRegion;
import dev.lacuna.ui.places.live.phase.PhasesModel.Share;
import java.util.List;
import java.util.stream.IntStream;
import javafx.scene.canvas.GraphicsContext;

/** Below the timeline: how the time was shared among phases, by the second. What none was open in stays empty. */
public final class PhaseBand extends PaintedRegion {
    /** Phases behind these share the last colour. */
    static final int COLOURS = 8;

    private static final double HEIGHT = 10;

    private final PhasesModel model;
    private TimeRange range = new TimeRange(0, 1);
    private PlotArea plot = new PlotArea(0, 0, 1, 1);

    public PhaseBand(PhasesModel model) {
        super(IntStream.range(0, COLOURS).mapToObj(PhaseBand::colourOf).toList());
        this.model = model;
        getStyleClass().add("phase-band");
        setId("live-phase-band");
        setMinHeight(HEIGHT);
        setPrefHeight(HEIGHT);
        setMaxHeight(HEIGHT);
        model.phasesProperty().addListener((property, before, now) -> repaint());
        visibleProperty()
                .bind(model.phasesProperty()
                        .map(now ->
                                now.filter(phases -> !phases.phases().isEmpty()).isPresent()));
        managedProperty().bind(visibleProperty());
    }

    /** Shows what the timeline shows. */
    public void follow(TimeRange shown, PlotArea where) {
        if (!range.equals(shown) || !plot.equals(where)) {
            range = shown;
            plot = where;
            repaint();
        }
    }

    @Override
    protected void paint(GraphicsContext g, double width, double height) {
        for (Share share : model.within(range)) {
            double left = x(share.range().startNs());
            double right = x(share.range().endNs());
            paint(g, share.ofPhases(), left, right - left, height);
        }
    }

    /** The first at the bottom. Where phases lie within one another they take more than all of the time: then all are lower. */
    private void paint(GraphicsContext g, List<Double> of, double x, double width, double height) {
        double sum = of.stream().mapToDouble(Double::doubleValue).sum();
        double unit = height / Math.max(1, sum);
        double bottom = height;
        for (int n = 0; n < of.size(); n++) {
            double part = of.get(n) * unit;
            g.setFill(colour(colourOf(Math.min(n, COLOURS - 1))));
            g.fillRect(x, bottom - part, width, part);
            bottom -= part;
        }
    }

    private double x(long timeNs) {
        return plot.left() + Math.max(0, Math.min(1, range.share(timeNs))) * plot.width();
    }

    private static String colourOf(int number) {
        return "phase-" + (number + 1);
    }
}
