package dev.lacuna.ui.window;

import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.settings.LeftOpen;
import dev.lacuna.ui.settings.UiSettings;
import java.util.List;
import javafx.beans.InvalidationListener;

/** Keeps in the settings what is open, from {@link #follow} on: until then they hold what was left open. */
final class OpenThings {
    private final List<Place> places;
    private final Session session;
    private final UiSettings settings;

    OpenThings(List<Place> places, Session session, UiSettings settings) {
        this.places = List.copyOf(places);
        this.session = session;
        this.settings = settings;
    }

    /** Notes what is open now, and whenever that changes. */
    void follow() {
        InvalidationListener changed = any -> note();
        places.forEach(place -> place.source().addListener(changed));
        session.attachedProperty().addListener(changed);
        note();
    }

    private void note() {
        // Read, each of them: a binding tells of its next change only once it was.
        places.forEach(place -> place.source().getValue());
        settings.leftProperty()
                .set(new LeftOpen(
                        settings.leftProperty().get().restore(),
                        session.attachedProperty()
                                .get()
                                .map(TrainingProcess::nameForGood)
                                .orElse(""),
                        places.stream()
                                .flatMap(place -> place.openFiles().stream())
                                .toList()));
    }
}
