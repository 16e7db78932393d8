package dev.lacuna.ui.session;

import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.Sample;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;

/** What was changed in the attached process, oldest first, and how to bring back what held before; what was undone can be done again. */
final class ChangeHistory {
    private final ObservableList<AppliedChange> changes = FXCollections.observableArrayList();
    private final ObservableList<AppliedChange> undone = FXCollections.observableArrayList();
    /** Kept, because the view listens to its source weakly: one made per call would fall silent. */
    private final ObservableList<AppliedChange> view = FXCollections.unmodifiableObservableList(changes);

    private final ObservableList<AppliedChange> undoneView = FXCollections.unmodifiableObservableList(undone);
    /** What could be done again before the newest change was made. */
    private List<AppliedChange> undoneBefore = List.of();

    ObservableList<AppliedChange> view() {
        return view;
    }

    ObservableList<AppliedChange> undoneView() {
        return undoneView;
    }

    boolean isEmpty() {
        return changes.isEmpty();
    }

    AppliedChange last() {
        return changes.get(changes.size() - 1);
    }

    AppliedChange lastUndone() {
        return undone.get(undone.size() - 1);
    }

    /** A change was made. Unless it turns out to be an undoing or a redoing one, nothing can be done again from here. */
    void add(AppliedChange change) {
        changes.add(change);
        undoneBefore = List.copyOf(undone);
        undone.clear();
    }

    /** The inverse of this one was applied, and entered the history as a change of its own: both leave it. */
    void undone(AppliedChange change) {
        changes.removeAll(List.of(change, last()));
        undone.setAll(undoneBefore);
        undone.add(change);
    }

    /** This one was done again, and entered the history anew. */
    void redone(AppliedChange change) {
        undone.setAll(undoneBefore);
        undone.remove(change);
    }

    void clear() {
        changes.clear();
        undone.clear();
        undoneBefore = List.of();
    }

    /** What brings back what this sample says holds now; empty where it does not know the device. */
    static Optional<Change> inverse(Change change, Sample now) {
        return now.devices().stream()
                .filter(device -> device.device() == change.device())
                .findFirst()
                .map(device -> new Change(
                                change.device(),
                                change.optimisation().map(on -> device.optimisation()),
                                change.fraction().isPresent()
                                        ? OptionalDouble.of(device.fraction())
                                        : OptionalDouble.empty(),
                                false)
                        .by(change.policy().map(rules -> device.policy())));
    }
}
