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
    static final String SHOWN = "the fake place is in front, and its view in the window";

    @Override
    public Place place(WindowContext context) {
        return new OfWindow(new Label("a fake"));
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

        @Override
        public void shown() {
            view.sceneProperty().addListener(now -> tell());
            tell();
        }

        private void tell() {
            if (view.getScene() != null) {
                System.out.println(SHOWN);
            }
        }
    }
}
