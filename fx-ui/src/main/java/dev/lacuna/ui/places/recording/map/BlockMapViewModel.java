package dev.lacuna.ui.places.recording.map;

import dev.lacuna.core.history.attribution.LifetimeClasses;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.HistoryAnnotation;
import dev.lacuna.core.history.model.Moment;
import dev.lacuna.core.history.model.Recording;
import dev.lacuna.core.history.timeline.Rewind;
import dev.lacuna.ui.blockmap.Arrangement;
import dev.lacuna.ui.places.recording.focus.Highlight;
import dev.lacuna.ui.places.recording.focus.RecordingFocus;
import dev.lacuna.ui.places.recording.focus.RecordingSelection;
import dev.lacuna.ui.places.recording.focus.RecordingViewModel;
import dev.lacuna.ui.task.BackgroundTask;
import dev.lacuna.ui.task.TaskExecutor;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.SimpleObjectProperty;

/**
 * Follows the moment that is looked at with a picture of all blocks. Pictures are made off the UI thread, one at a time: while the
 * moment moves on, those in between are left out. UI thread only; no toolkit.
 */
public final class BlockMapViewModel {
    /** What pictures of one device are made from. */
    private record Source(Rewind rewind, BlockColours colours) {}

    /** What a picture was asked to show. */
    private record Request(Source source, int moment, Colouring colouring, SegmentOrder order) {}

    private final RecordingViewModel model;
    private final RecordingFocus focus;
    private final TaskExecutor executor;
    private final ReadOnlyObjectWrapper<Optional<MapPicture>> picture = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ObjectProperty<Arrangement> arrangement = new SimpleObjectProperty<>(Arrangement.ROWS);
    private final ObjectProperty<Colouring> colouring = new SimpleObjectProperty<>(Colouring.LIFETIME);
    private final ObjectProperty<SegmentOrder> order = new SimpleObjectProperty<>(SegmentOrder.ADDRESS);
    private Optional<BackgroundTask<?>> preparing = Optional.empty();
    private Optional<Source> source = Optional.empty();
    private Optional<Request> drawing = Optional.empty();

    public BlockMapViewModel(RecordingViewModel model, TaskExecutor executor) {
        this.model = model;
        this.focus = model.focus();
        this.executor = executor;
        model.deviceProperty().addListener((property, before, now) -> begin(now));
        focus.momentProperty().addListener((property, before, now) -> request());
        colouring.addListener((property, before, now) -> request());
        order.addListener((property, before, now) -> request());
        begin(model.deviceProperty().get());
    }

    /** The newest picture; empty while there is none. */
    ReadOnlyObjectProperty<Optional<MapPicture>> pictureProperty() {
        return picture.getReadOnlyProperty();
    }

    ObjectProperty<Colouring> colouringProperty() {
        return colouring;
    }

    ObjectProperty<SegmentOrder> orderProperty() {
        return order;
    }

    ObjectProperty<Arrangement> arrangementProperty() {
        return arrangement;
    }

    RecordingFocus focus() {
        return focus;
    }

    Optional<DeviceHistory> device() {
        return model.deviceProperty().get();
    }

    /** How long blocks live; empty while there is no picture. */
    Optional<LifetimeClasses> lifetimes() {
        return source.map(s -> s.colours().lifetimes());
    }

    /** The operator chose this piece of the picture: a block, or the segment of a hole; nothing clears the choice. */
    void choose(OptionalInt piece) {
        focus.selectionProperty().set(selectionOf(piece));
    }

    /** The pointer is on this piece. */
    void point(OptionalInt piece) {
        focus.hoveredProperty().set(selectionOf(piece));
    }

    /** The piece of the picture that is selected. */
    OptionalInt selectedPiece() {
        return picture.get().isPresent()
                        && focus.selectionProperty().get() instanceof RecordingSelection.Allocation one
                        && one.id() < device().map(DeviceHistory::allocations).orElse(0)
                ? picture.get().get().moment().pieceOf(one.id())
                : OptionalInt.empty();
    }

    /** The segment of the picture that is selected. */
    OptionalInt selectedSegment() {
        if (picture.get().isEmpty()
                || !(focus.selectionProperty().get() instanceof RecordingSelection.Segment segment)) {
            return OptionalInt.empty();
        }
        int row = picture.get().get().moment().segments().rowOf(segment.address());
        return row < 0 ? OptionalInt.empty() : OptionalInt.of(row);
    }

    /** The pieces that a selection of many blocks means; empty where it means one, or none. */
    Optional<BitSet> highlighted() {
        RecordingSelection selection = focus.selectionProperty().get();
        boolean many =
                selection instanceof RecordingSelection.Stack || selection instanceof RecordingSelection.SizeClass;
        if (!many || picture.get().isEmpty() || device().isEmpty()) {
            return Optional.empty();
        }
        Highlight highlight = new Highlight(device().get(), selection);
        Moment moment = picture.get().get().moment();
        BitSet pieces = new BitSet(moment.pieces());
        for (int p = 0; p < moment.pieces(); p++) {
            pieces.set(p, moment.allocation(p) >= 0 && highlight.has(moment.allocation(p)));
        }
        return Optional.of(pieces);
    }

    private RecordingSelection selectionOf(OptionalInt piece) {
        if (piece.isEmpty() || picture.get().isEmpty()) {
            return RecordingSelection.NONE;
        }
        MapPicture shown = picture.get().get();
        int allocation = shown.moment().allocation(piece.getAsInt());
        return allocation >= 0
                ? new RecordingSelection.Allocation(allocation)
                : new RecordingSelection.Segment(
                        shown.map().segmentAddress(shown.map().segmentOf(piece.getAsInt())));
    }

    private void begin(Optional<DeviceHistory> device) {
        preparing.ifPresent(BackgroundTask::cancel);
        preparing = Optional.empty();
        source = Optional.empty();
        picture.set(Optional.empty());
        if (device.isEmpty()) {
            return;
        }
        arrangement.set(Arrangement.of(device.get().closing().size()));
        List<HistoryAnnotation> annotations =
                model.recordingProperty().get().map(Recording::annotations).orElse(List.of());
        BackgroundTask<Source> task = BackgroundTask.of(
                () -> new Source(new Rewind(device.get()), BlockColours.of(device.get(), annotations)));
        task.onSuccess(ready -> {
            source = Optional.of(ready);
            request();
        });
        preparing = Optional.of(task);
        executor.execute(task);
    }

    private Optional<Request> wanted() {
        return source.map(s -> new Request(s, focus.momentProperty().get(), colouring.get(), order.get()));
    }

    private void request() {
        if (drawing.isPresent() || wanted().isEmpty()) {
            return;
        }
        Request request = wanted().get();
        drawing = Optional.of(request);
        BackgroundTask<MapPicture> task = BackgroundTask.of(() -> MapPicture.of(
                request.source().rewind().at(request.moment()),
                request.source().colours(),
                request.colouring(),
                request.order()));
        task.onSuccess(done -> {
                    if (source.filter(s -> s == request.source()).isPresent()) {
                        picture.set(Optional.of(done));
                    }
                })
                .onFinished(() -> {
                    drawing = Optional.empty();
                    if (wanted().filter(now -> !now.equals(request)).isPresent()) {
                        request();
                    }
                });
        executor.execute(task);
    }
}
