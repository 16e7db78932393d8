package dev.lacuna.app.recipe;

import dev.lacuna.ui.window.Place;
import dev.lacuna.ui.window.PlaceProvider;
import dev.lacuna.ui.window.WindowContext;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.StringBinding;
import javafx.scene.Node;
import javafx.scene.control.Label;

/** What somebody writes who adds a place of the window: a folder like this file, and its words. */
public final class FakePlace implements PlaceProvider {
    static final String ID = "fake-place";

    @Override
    public Place place(WindowContext context) {
        return new OfWindow(new Label("the fake place is shown"));
    }

    private record OfWindow(Node view) implements Place {
        @Override
        public String id() {
            return ID;
        }

        @Override
        public StringBinding title() {
            return Bindings.createStringBinding(() -> "Fake");
        }

        @Override
        public String icon() {
            return "fth-box";
        }

        @Override
        public Node view() {
            return view;
        }
    }
}
