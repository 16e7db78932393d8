package dev.lacuna.ui.places.recording.timeline;

import dev.lacuna.core.history.timeline.MemorySeries;
import dev.lacuna.core.history.timeline.TimelineCut;
import dev.lacuna.ui.chart.ByteScale;
import dev.lacuna.ui.chart.PixelPicture;
import dev.lacuna.ui.chart.PlotArea;
import dev.lacuna.ui.places.recording.focus.Highlight;
import dev.lacuna.ui.places.recording.focus.RecordingFocus;
import dev.lacuna.ui.places.recording.focus.RecordingSelection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import javafx.scene.Node;

/** The pixels of the timeline's pictures, and what lies where in them. */
final class TimelinePictures {
    private static final int DIM_BESIDE_SELECTED = 180;
    private static final int DIM_BESIDE_HOVERED = 90;

    private final TimelineViewModel model;
    private final PixelPicture overview = new PixelPicture();
    private final PixelPicture bars = new PixelPicture();
    private final PixelPicture memory = new PixelPicture();
    private final PixelPicture lives = new PixelPicture();
    private final ByteScale memoryScale = new ByteScale();
    private final ByteScale livesScale = new ByteScale();
    private final TimelineCut cut = new TimelineCut();
    private final TimelineCut whole = new TimelineCut();
    private Optional<LivesPicture> blocks = Optional.empty();

    TimelinePictures(TimelineViewModel model) {
        this.model = model;
        nodes().forEach(node -> node.setManaged(false));
    }

    List<Node> nodes() {
        return Stream.of(overview, bars, memory, lives)
                .<Node>map(PixelPicture::view)
                .toList();
    }

    ByteScale memoryScale() {
        return memoryScale;
    }

    ByteScale livesScale() {
        return livesScale;
    }

    /** The lives have a scale of their own: where the gap is large, on that of the reserved bytes they would hardly be seen. */
    void fitScales() {
        memoryScale.reset();
        memoryScale.fit(highest());
        livesScale.reset();
        livesScale.fit(model.highest(MemorySeries.ALLOCATED));
    }

    /** A file that contradicts itself may have more allocated than reserved. */
    private long highest() {
        return Math.max(model.highest(MemorySeries.RESERVED), model.highest(MemorySeries.ALLOCATED));
    }

    // ---------------------------------------------------------------- what lies where

    /** The moment that an x of the pictures means: of a column of many, the one at which the most was allocated. */
    int momentAt(TimelineAreas areas, double x) {
        int column = columnAt(areas, x);
        return column < cut.columns()
                ? cut.peakMoment(column)
                : model.momentAt(areas.memory().share(x));
    }

    /** The block drawn at a place of the lives. */
    OptionalInt blockAt(TimelineAreas areas, double x, double y) {
        PlotArea area = areas.lives();
        int column = columnAt(areas, x);
        if (blocks.isEmpty() || column >= cut.columns() || !area.contains(x, y)) {
            return OptionalInt.empty();
        }
        double height = (area.bottom() - y) / area.height() * livesScale.top();
        return blocks.get().at(column, height);
    }

    private int columnAt(TimelineAreas areas, double x) {
        return (int) Math.min(cut.columns() - 1L, Math.max(0, areas.column(x)));
    }

    // ---------------------------------------------------------------- drawing

    void drawOverview(TimelineAreas areas, TimelinePalette palette) {
        fitScales();
        place(overview, areas.overview(), areas);
        model.cutWhole(areas.pixels(areas.overview().width()), whole);
        ByteScale exact = ByteScale.upTo(highest());
        MemoryRaster raster = new MemoryRaster(palette, areas.pixelScale());
        overview.draw(out -> raster.drawOverview(whole, exact, out));
    }

    /** Cuts the stretch that is shown and draws it, but for the lives. */
    void drawStretch(TimelineAreas areas, TimelinePalette palette) {
        MemoryRaster raster = new MemoryRaster(palette, areas.pixelScale());
        MarksRaster marks = new MarksRaster(model, palette);
        model.cut(areas.pixels(areas.memory().width()), cut);
        place(memory, areas.memory(), areas);
        memory.draw(out -> {
            raster.draw(cut, memoryScale, out);
            marks.drawOoms(out);
        });
        bars.view().setVisible(areas.bars().height() > 0);
        if (areas.bars().height() > 0) {
            place(bars, areas.bars(), areas);
            bars.draw(marks::drawBars);
        }
        blocks = model.device().map(device -> new LivesPicture(device, model.blocksIn(cut), cut));
    }

    /** Draws the lives of the stretch that was cut last, those brighter that are selected or pointed at. */
    void drawLives(TimelineAreas areas, TimelinePalette palette) {
        place(lives, areas.lives(), areas);
        RecordingFocus focus = model.focus();
        RecordingSelection selected = focus.selectionProperty().get();
        boolean nothing = selected instanceof RecordingSelection.None;
        RecordingSelection shown = nothing ? focus.hoveredProperty().get() : selected;
        int dim = shown instanceof RecordingSelection.None ? 0 : nothing ? DIM_BESIDE_HOVERED : DIM_BESIDE_SELECTED;
        model.device().ifPresent(device -> {
            Highlight highlight = new Highlight(device, shown);
            blocks.ifPresent(p -> lives.draw(out -> p.draw(cut, livesScale, palette, dim, highlight::has, out)));
        });
    }

    private static void place(PixelPicture picture, PlotArea area, TimelineAreas areas) {
        picture.resize(areas.pixels(area.width()), areas.pixels(area.height()), areas.pixelScale());
        picture.view().relocate(area.left(), area.top());
    }
}
