package dev.lacuna.ui.places.recording.attribution;

import dev.lacuna.core.history.attribution.BlockQuery;
import dev.lacuna.core.history.attribution.BlockSearch;
import dev.lacuna.core.history.attribution.FoundBlocks;
import dev.lacuna.core.history.attribution.FrameTree;
import dev.lacuna.core.history.attribution.HeldByTrainer;
import dev.lacuna.core.history.attribution.SegmentsAt;
import dev.lacuna.core.history.attribution.StackBytes;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.SegmentState;
import dev.lacuna.core.trace.snapshot.model.CallStacks;
import dev.lacuna.core.trace.snapshot.model.Frame;
import dev.lacuna.ui.places.recording.focus.RecordingFocus;
import dev.lacuna.ui.places.recording.focus.RecordingSelection;
import dev.lacuna.ui.places.recording.focus.RecordingViewModel;
import dev.lacuna.ui.task.TaskExecutor;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;

/** The blocks that a search and the selection leave, the largest first. */
final class BlocksViewModel {
    /** More rows nobody reads; how many there are is told. */
    static final int MOST_ROWS = 10_000;

    /** Which blocks. */
    enum Scope {
        /** Live at the moment. */
        LIVE,
        /** All of the recording. */
        ALL
    }

    private final RecordingViewModel model;
    private final StringProperty search = new SimpleStringProperty("");
    private final ObjectProperty<Scope> scope = new SimpleObjectProperty<>(Scope.LIVE);
    private final BooleanProperty shown = new SimpleBooleanProperty();
    private final ReadOnlyObjectWrapper<Optional<FoundBlocks>> found = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyObjectWrapper<RecordingSelection> filter =
            new ReadOnlyObjectWrapper<>(RecordingSelection.NONE);
    private final Newest<FoundBlocks> answers;

    BlocksViewModel(RecordingViewModel model, TaskExecutor executor) {
        this.model = model;
        answers = new Newest<>(executor, f -> found.set(Optional.of(f)), fault -> found.set(Optional.empty()));
        model.deviceProperty().addListener((property, before, now) -> {
            answers.forget();
            found.set(Optional.empty());
            ask();
        });
        search.addListener((property, before, now) -> ask());
        scope.addListener((property, before, now) -> ask());
        shown.addListener((property, before, now) -> ask());
        focus().momentProperty().addListener((property, before, now) -> ask());
        focus().selectionProperty().addListener((property, before, now) -> narrow(now));
    }

    /** What the operator looks for; see {@link BlockQuery#parse}. */
    StringProperty searchProperty() {
        return search;
    }

    /** Which blocks are looked through. */
    ObjectProperty<Scope> scopeProperty() {
        return scope;
    }

    /** Whether anybody looks. */
    BooleanProperty shownProperty() {
        return shown;
    }

    /** What was found. */
    ReadOnlyObjectProperty<Optional<FoundBlocks>> foundProperty() {
        return found.getReadOnlyProperty();
    }

    /** The selection that narrows the table: several blocks at once, selected elsewhere. */
    ReadOnlyObjectProperty<RecordingSelection> filterProperty() {
        return filter.getReadOnlyProperty();
    }

    RecordingFocus focus() {
        return model.focus();
    }

    /** Shows blocks whatever is selected. */
    void widen() {
        focus().selectionProperty().set(RecordingSelection.NONE);
    }

    /** Selects this block. */
    void select(int allocation) {
        focus().selectionProperty().set(new RecordingSelection.Allocation(allocation));
    }

    /** The call stack of a block, innermost frame first. */
    List<Frame> stack(int allocation) {
        DeviceHistory history = found.get().orElseThrow().history();
        int stack = StackBytes.stackOf(history, allocation);
        return stack == CallStacks.EMPTY ? List.of() : history.stacks().stack(stack);
    }

    /** A single block that is selected is marked among the others; it does not hide them. */
    private void narrow(RecordingSelection selection) {
        if (!(selection instanceof RecordingSelection.Allocation) && !selection.equals(filter.get())) {
            filter.set(selection);
            ask();
        }
    }

    private void ask() {
        Optional<DeviceHistory> device = model.deviceProperty().get();
        if (device.isEmpty() || !shown.get()) {
            return;
        }
        DeviceHistory history = device.get();
        BlockQuery query = BlockQuery.parse(search.get());
        int moment = focus().momentProperty().get();
        boolean live = scope.get() == Scope.LIVE;
        RecordingSelection narrowed = filter.get();
        answers.ask(() -> {
            IntPredicate selected = within(history, narrowed, moment);
            BlockSearch searched = new BlockSearch(history, query);
            return FoundBlocks.of(
                    history,
                    a -> (!live || HeldByTrainer.isLive(history, a, moment)) && selected.test(a) && searched.test(a),
                    MOST_ROWS);
        });
    }

    private static IntPredicate within(DeviceHistory history, RecordingSelection selection, int moment) {
        if (selection instanceof RecordingSelection.SizeClass sizes) {
            return a -> history.bytesOf(a) >= sizes.from() && history.bytesOf(a) <= sizes.to();
        }
        if (selection instanceof RecordingSelection.Segment segment) {
            SegmentState segments = SegmentsAt.moment(history, moment);
            int row = segments.rowOf(segment.address());
            return row < 0
                    ? a -> false
                    : a -> Long.compareUnsigned(history.addressOf(a) - segments.address(row), segments.totalBytes(row))
                            < 0;
        }
        if (selection instanceof RecordingSelection.Stack stack) {
            BitSet stacks = beginning(history.stacks(), stack.path());
            return a -> stacks.get(StackBytes.stackOf(history, a));
        }
        return a -> true;
    }

    /** The stacks that begin with this path, from the outermost frame. */
    private static BitSet beginning(CallStacks stacks, List<Frame> path) {
        BitSet within = new BitSet();
        for (int s = 0; s < stacks.size(); s++) {
            List<Frame> frames = stacks.stack(s);
            boolean begins = frames.size() >= path.size() && path.size() > FrameTree.ROOT;
            for (int i = 0; i < path.size() && begins; i++) {
                begins = frames.get(frames.size() - 1 - i).equals(path.get(i));
            }
            within.set(s, begins);
        }
        return within;
    }
}
