package dev.lacuna.ui.places.planner.pareto;

import dev.lacuna.core.allocator.packing.PlacedTable;
import dev.lacuna.ui.parts.FieldFault;
import dev.lacuna.ui.parts.FileDialogs;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import java.io.File;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.TextField;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.javafx.FontIcon;

/** What came of a table of lifetimes, what it should fit into, and the table with places to save. */
final class PlacesCard extends VBox {
    private static final Texts TEXTS = Texts.of("planner");
    private static final double WIDEST = 560;

    private final ParetoViewModel model;
    private final PlacesModel places;
    private final VBox facts = new VBox();

    PlacesCard(ParetoViewModel model) {
        this.model = model;
        this.places = model.places();
        setId("plan-places");
        getStyleClass().addAll("card", "message-card");
        facts.setId("places-facts");
        facts.getStyleClass().add("plan-facts");
        facts.setMaxWidth(WIDEST);
        Label source = Labels.inAnyScript(Labels.of(model.sourceProperty(), "muted"));
        getChildren().addAll(Labels.titled(TEXTS.bind("places.title")), source, facts, limit(), verdict(), save());
        places.placedProperty().addListener(any -> show());
        Texts.wordingProperty().addListener(any -> show());
        show();
    }

    private void show() {
        facts.getChildren()
                .setAll(places.facts().stream().map(PlacesCard::wrapped).toList());
    }

    private Node limit() {
        TextField field = new TextField();
        field.setId("places-limit");
        field.setPrefColumnCount(10);
        field.promptTextProperty().bind(TEXTS.bind("places.limit.prompt"));
        field.textProperty().bindBidirectional(places.limitProperty());
        Label title = Labels.of(TEXTS.bind("places.limit"));
        title.setLabelFor(field);
        title.setMinWidth(Region.USE_PREF_SIZE);
        HBox row = new HBox(title, field);
        row.getStyleClass().add("buttons");
        VBox box = new VBox(4, row, new FieldFault(field, places.fault()));
        box.setMaxWidth(WIDEST);
        return box;
    }

    private Node verdict() {
        Label verdict = wrapped("");
        verdict.setId("places-verdict");
        verdict.getStyleClass().add("strong");
        verdict.textProperty().bind(places.verdict());
        verdict.visibleProperty().bind(verdict.textProperty().isNotEmpty());
        verdict.managedProperty().bind(verdict.visibleProperty());
        return verdict;
    }

    private Node save() {
        Button save = new Button(null, new FontIcon("fth-save"));
        save.setId("places-save");
        save.textProperty().bind(TEXTS.bind("places.save"));
        save.setMinWidth(Region.USE_PREF_SIZE);
        save.setOnAction(e -> places.placedProperty().get().ifPresent(this::save));
        return save;
    }

    private void save(PlacedTable table) {
        FileDialogs.save(this, TEXTS.get("places.save"), "lacuna-places.csv")
                .map(File::getAbsolutePath)
                .ifPresent(path -> model.save(path, table.withOffsets()));
    }

    private static Label wrapped(String text) {
        Label label = Labels.inAnyScript(new Label(text));
        label.setWrapText(true);
        label.setMaxWidth(WIDEST);
        label.setMinHeight(Region.USE_PREF_SIZE);
        return label;
    }
}
