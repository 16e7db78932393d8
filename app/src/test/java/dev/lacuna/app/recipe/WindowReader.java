package dev.lacuna.app.recipe;

import dev.lacuna.ui.places.diagnose.DiagnosePlace;
import dev.lacuna.ui.places.planner.PlannerPlace;
import dev.lacuna.ui.places.processes.ProcessesPlace;
import dev.lacuna.ui.places.recording.RecordingPlace;
import dev.lacuna.ui.places.whatif.WhatIfPlace;
import dev.lacuna.ui.window.Navigator;
import dev.lacuna.ui.window.Place;
import dev.lacuna.ui.window.PlaceProvider;
import dev.lacuna.ui.window.WindowContext;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javafx.animation.Animation;
import javafx.animation.KeyFrame;
import javafx.animation.Timeline;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.StringBinding;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Label;
import javafx.scene.control.Labeled;
import javafx.scene.control.TabPane;
import javafx.scene.text.Text;
import javafx.stage.Window;
import javafx.util.Duration;

/** Reads the window to who started it, a line for each text, with the place in front: goes from place to place, and from tab to tab there. */
public final class WindowReader implements PlaceProvider {
    private static final List<String> PLACES = List.of(
            FakePlace.ID,
            ProcessesPlace.ID,
            DiagnosePlace.ID,
            RecordingPlace.ID,
            WhatIfPlace.ID,
            PlannerPlace.ID,
            OfWindow.ID);

    private final Set<String> told = new HashSet<>();

    @Override
    public Place place(WindowContext context) {
        Timeline reading = new Timeline(new KeyFrame(Duration.millis(300), now -> read(context.navigator())));
        reading.setCycleCount(Animation.INDEFINITE);
        reading.play();
        return new OfWindow(new Label("reads"));
    }

    private void read(Navigator navigator) {
        String place = navigator.currentProperty().get();
        List<Node> seen = Window.getWindows().stream()
                .filter(window -> window.getScene() != null)
                .flatMap(window -> visible(window.getScene().getRoot()))
                .toList();
        seen.stream()
                .flatMap(WindowReader::text)
                .filter(text -> !text.isBlank())
                .map(text -> place + ": " + text)
                .filter(told::add)
                .forEach(System.out::println);
        if (!turned(seen)) {
            navigator.show(PLACES.get((PLACES.indexOf(place) + 1) % PLACES.size()));
        }
    }

    /** Whether there was another tab; where there was none, the first ones are in front when the place is come back to. */
    private static boolean turned(List<Node> seen) {
        List<TabPane> tabs = seen.stream()
                .filter(TabPane.class::isInstance)
                .map(TabPane.class::cast)
                .toList();
        boolean more = false;
        for (TabPane pane : tabs) {
            more |= pane.getSelectionModel().getSelectedIndex() + 1
                    < pane.getTabs().size();
            pane.getSelectionModel().selectNext();
        }
        if (!more) {
            tabs.forEach(pane -> pane.getSelectionModel().selectFirst());
        }
        return more;
    }

    private static Stream<Node> visible(Node node) {
        Stream<Node> below = node instanceof Parent parent
                ? parent.getChildrenUnmodifiable().stream()
                        .filter(Node::isVisible)
                        .flatMap(WindowReader::visible)
                : Stream.empty();
        return Stream.concat(Stream.of(node), below);
    }

    private static Stream<String> text(Node node) {
        return node instanceof Labeled labeled
                ? Stream.ofNullable(labeled.getText())
                : node instanceof Text text ? Stream.ofNullable(text.getText()) : Stream.empty();
    }

    private record OfWindow(Node view) implements Place {
        private static final String ID = "reader";

        @Override
        public String id() {
            return ID;
        }

        @Override
        public StringBinding title() {
            return Bindings.createStringBinding(() -> "Reader");
        }

        @Override
        public String icon() {
            return "fth-eye";
        }

        @Override
        public Node view() {
            return view;
        }
    }
}
