package dev.lacuna.ui.settings;

import java.util.List;
import javafx.collections.FXCollections;
import javafx.collections.ListChangeListener;
import javafx.collections.ObservableList;

/** Paths that were opened, newest first, as many as are recent. UI thread only. */
public final class RecentPaths {
    /** More than this many are no longer recent. */
    static final int MOST = 12;

    private final ObservableList<String> paths;

    /** Kept, because the view listens to its source weakly: one made per call would fall silent. */
    private final ObservableList<String> view;

    RecentPaths(List<String> stored) {
        paths = FXCollections.observableArrayList(stored);
        view = FXCollections.unmodifiableObservableList(paths);
    }

    /** The paths; change them through {@link #remember} and {@link #forget}. */
    public ObservableList<String> list() {
        return view;
    }

    /** Puts a path in front. */
    public void remember(String path) {
        List<String> others = paths.stream().filter(p -> !p.equals(path)).toList();
        paths.setAll(path);
        paths.addAll(others.subList(0, Math.min(others.size(), MOST - 1)));
    }

    /** Takes a path off. */
    public void forget(String path) {
        paths.remove(path);
    }

    void onChange(Runnable action) {
        paths.addListener((ListChangeListener<String>) change -> action.run());
    }
}
