package dev.lacuna.ui.settings;

import java.util.List;
import javafx.collections.FXCollections;
import javafx.collections.ListChangeListener;
import javafx.collections.ObservableList;

/** Moments that the operator wants to find again, newest first. UI thread only. */
public final class Bookmarks {
    /** More than this many are no longer kept. */
    public static final int MOST = 100;

    private final ObservableList<Bookmark> list;

    /** Kept, because the view listens to its source weakly: one made per call would fall silent. */
    private final ObservableList<Bookmark> view;

    Bookmarks(List<Bookmark> stored) {
        list = FXCollections.observableArrayList(stored.subList(0, Math.min(stored.size(), MOST)));
        view = FXCollections.unmodifiableObservableList(list);
    }

    /** All of them. */
    public ObservableList<Bookmark> list() {
        return view;
    }

    /** Puts one in front; the same moment is kept once. */
    public void add(Bookmark bookmark) {
        list.removeIf(b -> b.called("").equals(bookmark.called("")));
        list.add(0, bookmark);
        if (list.size() > MOST) {
            list.remove(MOST);
        }
    }

    /** Gives one another name; an empty one changes nothing. */
    public void rename(Bookmark bookmark, String name) {
        int at = list.indexOf(bookmark);
        if (at >= 0 && !name.isBlank()) {
            list.set(at, bookmark.called(name.strip()));
        }
    }

    /** Takes one off. */
    public void remove(Bookmark bookmark) {
        list.remove(bookmark);
    }

    /** Those that can still be found at the next start. */
    List<Bookmark> lasting() {
        return list.stream().filter(Bookmark::lasts).toList();
    }

    void onChange(Runnable action) {
        list.addListener((ListChangeListener<Bookmark>) change -> action.run());
    }
}
