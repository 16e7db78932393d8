package dev.lacuna.ui.window;

import dev.lacuna.ui.text.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Everything that can be done in the window, once: keys, the list of keys and the command palette all take it from here. What belongs to a
 * place comes from the place.
 */
final class Actions {
    private static final Texts TEXTS = Texts.of("shell");

    private final List<Place> places;
    private final Navigator navigator;
    private final List<Shortcut> everywhere = new ArrayList<>();

    Actions(List<Place> places, Navigator navigator) {
        this.places = List.copyOf(places);
        this.navigator = navigator;
    }

    void add(Shortcut action) {
        everywhere.add(action);
    }

    /** What can be done whichever place is in front, also without keys. */
    List<Shortcut> everywhere() {
        return everywhere;
    }

    /** All of it for the palette: the place in front first, then the window, then the other places, which come to the front for it. */
    List<PaletteModel.Entry> entries(Optional<Place> front) {
        List<PaletteModel.Entry> all = new ArrayList<>();
        front.ifPresent(place -> place.shortcuts().forEach(action -> all.add(entry(place, action))));
        for (Place place : places) {
            all.add(new PaletteModel.Entry(
                    TEXTS.get("palette.place"),
                    place.title().get(),
                    numberOf(place),
                    () -> navigator.show(place.id())));
        }
        for (Shortcut action : everywhere) {
            if (!action.textKey().startsWith("shortcut.place.")) {
                all.add(entry(TEXTS.get("palette.window"), action, action.action()));
            }
        }
        for (Place place : places) {
            if (front.filter(place::equals).isEmpty()) {
                place.shortcuts().forEach(action -> all.add(entry(place, action)));
            }
        }
        return all;
    }

    private String numberOf(Place place) {
        String key = "shortcut.place." + (places.indexOf(place) + 1);
        return everywhere.stream()
                .filter(action -> action.textKey().equals(key))
                .map(Actions::keysOf)
                .findFirst()
                .orElse("");
    }

    private PaletteModel.Entry entry(Place place, Shortcut action) {
        return entry(place.title().get(), action, () -> {
            navigator.show(place.id());
            action.action().run();
        });
    }

    private static String keysOf(Shortcut action) {
        return action.hasKeys() ? action.keys().getDisplayText() : "";
    }

    private static PaletteModel.Entry entry(String group, Shortcut action, Runnable run) {
        return new PaletteModel.Entry(group, action.description().get(), keysOf(action), run);
    }
}
