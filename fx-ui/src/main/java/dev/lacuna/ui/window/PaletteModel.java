package dev.lacuna.ui.window;

import dev.lacuna.ui.text.Texts;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;

/** What the command palette offers: every action of the window and of its places, by the words that are looked for. UI thread only. */
final class PaletteModel {
    /**
     * An action that can be chosen.
     *
     * @param group where it belongs, for people
     * @param words what it does
     * @param keys its keys, for people; empty where it has none
     * @param action what happens
     */
    record Entry(String group, String words, String keys, Runnable action) {
        private String all() {
            return (group + " " + words + " " + keys).toLowerCase(Texts.locale());
        }

        private int rank(String query) {
            String own = words.toLowerCase(Texts.locale());
            return own.startsWith(query) ? 0 : own.contains(query) ? 1 : 2;
        }
    }

    private final List<Entry> entries;
    private final StringProperty query = new SimpleStringProperty("");
    private final ObservableList<Entry> found = FXCollections.observableArrayList();

    PaletteModel(List<Entry> entries) {
        this.entries = List.copyOf(entries);
        query.addListener((property, before, now) -> find());
        find();
    }

    /** What is looked for. */
    StringProperty queryProperty() {
        return query;
    }

    /** What has all of its words, the most fitting first. */
    ObservableList<Entry> found() {
        return found;
    }

    private void find() {
        String wanted = query.get().strip().toLowerCase(Texts.locale());
        List<String> words = Stream.of(wanted.split("\\s+")).toList();
        found.setAll(entries.stream()
                .filter(entry -> words.stream().allMatch(entry.all()::contains))
                .sorted(Comparator.comparingInt(entry -> entry.rank(wanted)))
                .toList());
    }
}
