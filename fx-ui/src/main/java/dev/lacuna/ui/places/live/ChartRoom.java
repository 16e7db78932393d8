package dev.lacuna.ui.places.live;

import dev.lacuna.ui.parts.CommandName;
import dev.lacuna.ui.parts.SaveRequest;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import java.util.Optional;
import javafx.beans.binding.Bindings;
import javafx.event.Event;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.Scene;
import javafx.scene.control.Button;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.Priority;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import javafx.stage.Stage;

/** Where the chart stands: among the cards, alone in the place, or in a window of its own. */
final class ChartRoom {
    private static final Texts TEXTS = Texts.of("live");
    private static final double WIDTH = 1100;
    private static final double HEIGHT = 560;

    private final LiveViewModel model;
    private final ChartCard chart;
    /** Stands among the cards in place of the chart. */
    private final StackPane seat;
    /** Holds what the place shows below its header. */
    private final VBox place;

    private final Node cards;
    private Optional<Stage> window = Optional.empty();
    private boolean alone;

    /**
     * @param seat where it stands among the cards; the chart is in it
     * @param place whose last child are the cards
     */
    ChartRoom(LiveViewModel model, ChartCard chart, StackPane seat, VBox place) {
        this.model = model;
        this.chart = chart;
        this.seat = seat;
        this.place = place;
        this.cards = place.getChildren().get(place.getChildren().size() - 1);
        chart.onMaximise(this::maximise);
        chart.onDetach(this::detach);
    }

    /** The chart alone in the place, or all cards again. */
    void maximise() {
        if (window.isPresent()) {
            comeBack();
        }
        alone = !alone;
        int last = place.getChildren().size() - 1;
        if (alone) {
            seat.getChildren().clear();
            place.getChildren().set(last, chart);
            VBox.setVgrow(chart, Priority.ALWAYS);
        } else {
            place.getChildren().set(last, cards);
            seat.getChildren().setAll(chart);
        }
        chart.chart().requestFocus();
    }

    /** The chart in a window of its own, or back. */
    void detach() {
        if (window.isPresent()) {
            comeBack();
            return;
        }
        if (alone) {
            maximise();
        }
        Scene main = place.getScene();
        if (main == null) {
            return;
        }
        seat.getChildren().setAll(placeholder());
        StackPane root = new StackPane(chart);
        root.getStyleClass().addAll("live", "detached");
        Scene scene = new Scene(root, WIDTH, HEIGHT);
        Bindings.bindContent(scene.getStylesheets(), main.getStylesheets());
        // The keys of the place work here too.
        scene.addEventHandler(KeyEvent.KEY_PRESSED, e -> Event.fireEvent(main, e.copyFor(main, main)));
        // What is saved from it is asked for and written by the window that it came from.
        scene.addEventHandler(SaveRequest.SAVE, e -> Event.fireEvent(main.getRoot(), e.copyFor(main, main.getRoot())));
        Stage stage = new Stage();
        stage.initOwner(main.getWindow());
        stage.setScene(scene);
        stage.setTitle(TEXTS.get(
                "chart.detached.title",
                model.processProperty()
                        .get()
                        .map(p -> CommandName.of(p.command()))
                        .orElse("")));
        stage.setOnHidden(e -> comeBack());
        window = Optional.of(stage);
        stage.show();
        chart.chart().requestFocus();
    }

    private void comeBack() {
        Optional<Stage> closing = window;
        window = Optional.empty();
        closing.ifPresent(stage -> {
            stage.getScene().setRoot(new StackPane());
            seat.getChildren().setAll(chart);
            stage.close();
        });
    }

    private Node placeholder() {
        Button back = new Button();
        back.setId("live-chart-back");
        back.textProperty().bind(TEXTS.bind("chart.detached.back"));
        back.setOnAction(e -> comeBack());
        VBox words = new VBox(8, Labels.of(TEXTS.bind("chart.detached"), "muted"), back);
        words.getStyleClass().add("card");
        words.setAlignment(Pos.CENTER);
        return words;
    }
}
