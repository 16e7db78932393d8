package dev.lacuna.ui.places.recording.timeline;

import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.HistoryAnnotation;
import dev.lacuna.core.history.model.LargestBlocks;
import dev.lacuna.core.history.model.MemoryAtMoment;
import dev.lacuna.core.history.timeline.MemorySeries;
import dev.lacuna.core.history.timeline.Timeline;
import dev.lacuna.core.history.timeline.TimelineCut;
import dev.lacuna.core.history.timeline.TimelineReader;
import dev.lacuna.ui.places.recording.focus.EventRange;
import dev.lacuna.ui.places.recording.focus.RecordingFocus;
import dev.lacuna.ui.places.recording.focus.RecordingSelection;
import dev.lacuna.ui.places.recording.focus.RecordingViewModel;
import dev.lacuna.ui.task.BackgroundTask;
import dev.lacuna.ui.task.TaskExecutor;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.IntegerProperty;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.beans.property.SimpleIntegerProperty;

/**
 * Which stretch of a recording's memory is shown and along which axis; steps the moment that is looked at, and finds marks and
 * peaks. Pictures are asked for by their number of columns. UI thread only.
 */
public final class TimelineViewModel {
    private static final double KEY_ZOOM = 0.5;
    private static final double KEY_PAN = 0.15;

    /** What is shown on either side of a life, as a share of it. */
    private static final double LIFE_MARGIN = 0.1;

    /** Blocks drawn in full unless changed; {@link #MOST_BLOCKS} and {@link #FEWEST_BLOCKS} bound it. */
    static final int BLOCKS = 2048;

    static final int FEWEST_BLOCKS = 16;
    static final int MOST_BLOCKS = 32_768;

    /** What a change makes the pictures draw anew; each includes those before it. */
    enum Change {
        /** The lines over them. */
        CURSOR,
        /** Which blocks are highlighted. */
        HIGHLIGHT,
        /** The stretch, or the recording. */
        STRETCH
    }

    private final RecordingViewModel model;
    private final TaskExecutor executor;
    private final RecordingFocus focus;
    private final AxisWindow window = new AxisWindow();
    private final BooleanProperty byTime = new SimpleBooleanProperty(true);
    private final ReadOnlyBooleanWrapper timed = new ReadOnlyBooleanWrapper();
    private final ReadOnlyBooleanWrapper hasOoms = new ReadOnlyBooleanWrapper();
    private final IntegerProperty blocks = new SimpleIntegerProperty(BLOCKS);
    private Optional<TimelineReader> reader = Optional.empty();
    private Optional<LargestBlocks> largest = Optional.empty();
    private HistoryAxis axis = new HistoryAxis.ByEvent(0);
    private int[] ooms = {};
    private List<AnnotationSpans.Span> annotations = List.of();
    private int annotationRows;
    private int[] edges = {};
    private Consumer<Change> onChange = change -> {};

    public TimelineViewModel(RecordingViewModel model, TaskExecutor executor) {
        this.model = model;
        this.executor = executor;
        this.focus = model.focus();
        model.timelineProperty().addListener((property, before, now) -> begin(now));
        byTime.addListener((property, before, now) -> turnAxis());
        blocks.addListener((property, before, now) -> changed(Change.STRETCH));
        focus.rangeProperty().addListener((property, before, now) -> changed(Change.CURSOR));
        focus.selectionProperty().addListener((property, before, now) -> changed(Change.HIGHLIGHT));
        focus.hoveredProperty().addListener((property, before, now) -> changed(Change.HIGHLIGHT));
        focus.momentProperty()
                .addListener((property, before, now) ->
                        changed(window.reveal(axis.placeOf(now.intValue())) ? Change.STRETCH : Change.CURSOR));
        begin(model.timelineProperty().get());
    }

    /** Calls this after anything changed that a picture shows. */
    void onChange(Consumer<Change> action) {
        onChange = action;
    }

    /** Whether the axis is time, where the recording tells it; else events. */
    public BooleanProperty byTimeProperty() {
        return byTime;
    }

    /** Whether the recording tells times. */
    public ReadOnlyBooleanProperty timedProperty() {
        return timed.getReadOnlyProperty();
    }

    /** Whether a request ran out of memory. */
    public ReadOnlyBooleanProperty hasOomsProperty() {
        return hasOoms.getReadOnlyProperty();
    }

    /** How many blocks are drawn one by one, the largest first. */
    public IntegerProperty blocksProperty() {
        return blocks;
    }

    RecordingFocus focus() {
        return focus;
    }

    Optional<DeviceHistory> device() {
        return model.deviceProperty().get();
    }

    AxisWindow window() {
        return window;
    }

    HistoryAxis axis() {
        return axis;
    }

    /** Events that ran out of memory. */
    int[] ooms() {
        return ooms;
    }

    /** Steps, phases and marks of the device. */
    List<AnnotationSpans.Span> annotations() {
        return annotations;
    }

    /** Rows that they need. */
    int annotationRows() {
        return annotationRows;
    }

    /** Whether there is a timeline to draw. */
    boolean ready() {
        return reader.isPresent();
    }

    /** The memory at a moment. */
    Optional<MemoryAtMoment> at(int moment) {
        return reader.map(r -> r.at(Math.max(0, Math.min(focus.size(), moment))));
    }

    /** The largest value that a series ever has. */
    long highest(MemorySeries series) {
        return reader.map(r -> r.highest(series, 0, focus.size() + 1)).orElse(0L);
    }

    /** Cuts what is shown into columns. */
    void cut(int columns, TimelineCut into) {
        cut(window.from(), window.to(), columns, into);
    }

    /** Cuts everything into columns. */
    void cutWhole(int columns, TimelineCut into) {
        cut(0, axis.extent(), columns, into);
    }

    private void cut(double from, double to, int columns, TimelineCut into) {
        if (edges.length <= columns) {
            edges = new int[columns + 1];
        }
        axis.cut(from, to, columns, edges);
        reader.ifPresent(r -> r.cut(edges, columns, into));
    }

    /** The blocks to draw one by one in the columns of a cut. */
    int[] blocksIn(TimelineCut shown) {
        return largest.map(l -> l.aliveAt(shown.peakMoments(), blocks.get())).orElse(new int[0]);
    }

    /** The moment at a share of what is shown. */
    int momentAt(double share) {
        return axis.momentAt(window.at(share));
    }

    /** Where a moment lies in what is shown, 0 to 1; beyond outside. */
    double shareOf(int moment) {
        return window.share(axis.placeOf(moment));
    }

    // ---------------------------------------------------------------- moving the stretch

    /** Shows half as much, around the moment that is looked at where it is seen. */
    public void zoomIn() {
        zoomAround(KEY_ZOOM, middle());
    }

    /** Shows twice as much. */
    public void zoomOut() {
        zoomAround(1 / KEY_ZOOM, middle());
    }

    /** Earlier. */
    public void panBack() {
        pan(-KEY_PAN);
    }

    /** Later. */
    public void panForward() {
        pan(KEY_PAN);
    }

    /** Shows the selected stretch, or else the life of the selected block; nothing happens without either. */
    public void zoomToSelection() {
        if (focus.hasRange()) {
            EventRange range = focus.rangeProperty().get();
            show(range, 0);
        } else {
            selectedLife().ifPresent(life -> show(life, LIFE_MARGIN));
        }
    }

    private void show(EventRange range, double margin) {
        double from = axis.placeOf(range.from());
        double to = axis.placeOf(range.to());
        double beside = (to - from) * margin;
        window.show(Math.max(0, from - beside), Math.min(axis.extent(), to + beside));
        changed(Change.STRETCH);
    }

    /** From when to when the selected block lived; empty when another thing is selected, or nothing. */
    Optional<EventRange> selectedLife() {
        return focus.selectionProperty().get() instanceof RecordingSelection.Allocation block
                ? device().map(d -> lifeOf(d, block.id()))
                : Optional.empty();
    }

    private static EventRange lifeOf(DeviceHistory device, int block) {
        return EventRange.between(Math.max(0, device.bornAt(block)), Math.max(0, device.freedAt(block)));
    }

    /** Shows everything, and forgets the selected stretch. */
    public void reset() {
        window.reset();
        focus.clearRange();
        changed(Change.STRETCH);
    }

    /** What was shown before the last jump. */
    public void back() {
        if (window.back()) {
            changed(Change.STRETCH);
        }
    }

    void zoomAround(double factor, double share) {
        window.zoomAround(factor, share);
        changed(Change.STRETCH);
    }

    void pan(double share) {
        window.pan(share);
        changed(Change.STRETCH);
    }

    /** Shows this stretch while a hand drags it: all of the way is undone at once. */
    void follow(double from, double to) {
        window.follow(from, to);
        changed(Change.STRETCH);
    }

    private double middle() {
        double share = shareOf(focus.momentProperty().get());
        return share >= 0 && share <= 1 ? share : 0.5;
    }

    // ---------------------------------------------------------------- the moment

    /** Looks at the moment so many events later; earlier for a negative number. */
    public void step(int events) {
        focus.momentProperty().set(focus.momentProperty().get() + events);
    }

    /** Looks at the first moment of the selected stretch, or of all. */
    public void toFirst() {
        focus.momentProperty().set(focus.rangeProperty().get().from());
    }

    /** Looks at the last moment of the selected stretch, or of all. */
    public void toLast() {
        focus.momentProperty().set(focus.rangeProperty().get().to());
    }

    /** Looks at the state that the next request met that ran out of memory. */
    public void toNextOom() {
        int now = focus.momentProperty().get();
        for (int oom : ooms) {
            if (oom > now) {
                focus.momentProperty().set(oom);
                return;
            }
        }
    }

    /** Looks at the state that the last request before this moment met that ran out of memory. */
    public void toLastOom() {
        int now = focus.momentProperty().get();
        for (int i = ooms.length - 1; i >= 0; i--) {
            if (ooms[i] < now) {
                focus.momentProperty().set(ooms[i]);
                return;
            }
        }
    }

    /** Looks at the moment at which the most was allocated in the selected stretch, else in what is shown. */
    public void toPeak() {
        EventRange range = focus.hasRange()
                ? focus.rangeProperty().get()
                : EventRange.between(axis.momentAt(window.from()), axis.momentAt(window.to()));
        reader.ifPresent(r -> focus.momentProperty().set(r.peak(range.from(), range.to() + 1)));
    }

    // ---------------------------------------------------------------- private

    private void begin(Optional<Timeline> timeline) {
        reader = timeline.map(Timeline::reader);
        ooms = timeline.map(Timeline::ooms).orElse(new int[0]);
        hasOoms.set(ooms.length > 0);
        largest = Optional.empty();
        annotations =
                AnnotationSpans.of(timeline.map(t -> annotationsOf(t.device())).orElse(List.of()));
        annotationRows = AnnotationSpans.rows(annotations);
        timed.set(timeline.map(t -> HistoryAxis.ByTime.suits(t.device())).orElse(false));
        axis = timeline.map(t -> HistoryAxis.of(t.device(), byTime.get())).orElse(new HistoryAxis.ByEvent(0));
        window.begin(axis);
        timeline.ifPresent(this::findLargest);
        changed(Change.STRETCH);
    }

    private List<HistoryAnnotation> annotationsOf(DeviceHistory device) {
        return model.recordingProperty()
                .get()
                .map(r -> r.annotations().stream()
                        .filter(a -> a.device() == device.device())
                        .toList())
                .orElse(List.of());
    }

    private void findLargest(Timeline timeline) {
        BackgroundTask<LargestBlocks> task = BackgroundTask.of(() -> new LargestBlocks(timeline.device()));
        task.onSuccess(found -> {
            if (model.timelineProperty().get().filter(t -> t == timeline).isPresent()) {
                largest = Optional.of(found);
                changed(Change.STRETCH);
            }
        });
        executor.execute(task);
    }

    /** The same moments are shown along the other axis. */
    private void turnAxis() {
        Optional<DeviceHistory> device = model.timelineProperty().get().map(Timeline::device);
        if (device.isEmpty()) {
            return;
        }
        boolean whole = window.isWhole();
        int from = axis.momentAt(window.from());
        int to = axis.momentAt(window.to());
        axis = HistoryAxis.of(device.get(), byTime.get());
        window.begin(axis);
        if (!whole) {
            window.show(axis.placeOf(from), axis.placeOf(to));
        }
        changed(Change.STRETCH);
    }

    private void changed(Change change) {
        onChange.accept(change);
    }
}
