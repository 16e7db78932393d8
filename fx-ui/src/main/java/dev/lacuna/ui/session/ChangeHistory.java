package dev.lacuna.ui.session;

import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.Sample;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;

/** What was changed in the attached process, oldest first, and how to bring back what held before. */
final class ChangeHistory {
    private final ObservableList<AppliedChange> changes = FXCollections.observableArrayList();
    /** Kept, because the view listens to its source weakly: one made per call would fall silent. */
    private final ObservableList<AppliedChange> view = FXCollections.unmodifiableObservableList(changes);

    ObservableList<AppliedChange> view() {
        return view;
    }

    boolean isEmpty() {
        return changes.isEmpty();
    }

    AppliedChange last() {
        return changes.get(changes.size() - 1);
    }

    void add(AppliedChange change) {
        changes.add(change);
    }

    /** The inverse of this one was applied, and entered the history as a change of its own: both leave it. */
    void undone(AppliedChange change) {
        changes.removeAll(List.of(change, last()));
    }

    void clear() {
        changes.clear();
    }

    /** What brings back what this sample says holds now; empty where it does not know the device. */
    static Optional<Change> inverse(Change change, Sample now) {
        return now.devices().stream()
                .filter(device -> device.device() == change.device())
                .findFirst()
                .map(device -> new Change(
                        change.device(),
                        change.optimisation().map(on -> device.optimisation()),
                        change.fraction().isPresent() ? OptionalDouble.of(device.fraction()) : OptionalDouble.empty(),
                        false));
    }
}
