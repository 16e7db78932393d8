package dev.lacuna.ui.places.planner.estimate;

import dev.lacuna.core.estimate.Estimate;
import dev.lacuna.core.estimate.model.Layout;
import dev.lacuna.core.estimate.model.Training;
import dev.lacuna.ui.parts.ChoiceText;
import dev.lacuna.ui.parts.FieldFault;
import dev.lacuna.ui.parts.SearchBox;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanBinding;
import javafx.geometry.VPos;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.TextField;
import javafx.scene.control.Tooltip;
import javafx.scene.input.Clipboard;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.javafx.FontIcon;

/** What to estimate: where it comes from, and what is to hold instead. */
final class InputCard extends VBox {
    private static final Texts TEXTS = Texts.of("planner");

    private final EstimateViewModel model;

    InputCard(EstimateViewModel model, Runnable choose) {
        this.model = model;
        getStyleClass().addAll("card", "est-input");
        SearchBox<String> presets = new SearchBox<>();
        presets.setId("est-preset");
        presets.getItems().setAll(model.presets());
        presets.promptTextProperty().bind(TEXTS.bind("est.preset"));
        presets.accessibleTextProperty().bind(TEXTS.bind("est.preset"));
        presets.setMaxWidth(Double.MAX_VALUE);
        presets.valueProperty().addListener((property, before, now) -> {
            if (now != null) {
                model.openPreset(now);
            }
        });
        model.sourceProperty().addListener((property, before, now) -> {
            if (!now.equals(presets.getValue())) {
                presets.setValue(null);
            }
        });
        Button open = button("open", "fth-folder", choose);
        Button paste = button(
                "paste",
                "fth-clipboard",
                () -> model.paste(
                        Optional.ofNullable(Clipboard.getSystemClipboard().getString())
                                .orElse("")));
        HBox ways = new HBox(open, paste);
        ways.getStyleClass().add("buttons");
        Label source = Labels.inAnyScript(Labels.of(model.sourceProperty(), "muted", "small"));
        source.setWrapText(true);
        ScrollPane scroll = new ScrollPane(fields());
        scroll.setFitToWidth(true);
        scroll.setHbarPolicy(ScrollPane.ScrollBarPolicy.NEVER);
        scroll.getStyleClass().add("edge-to-edge");
        VBox.setVgrow(scroll, Priority.ALWAYS);
        getChildren().addAll(Labels.titled(TEXTS.bind("est.input")), presets, ways, source, scroll);
    }

    private Node fields() {
        GridPane grid = new GridPane();
        grid.getStyleClass().add("est-fields");
        int row = 0;
        for (String name : RunFields.NUMBERS.keySet()) {
            TextField field = new TextField();
            field.setId("est-" + name);
            field.setPrefColumnCount(6);
            field.textProperty().bindBidirectional(model.fields().value(name));
            field.promptTextProperty()
                    .bind(Bindings.createStringBinding(
                            () -> model.estimateProperty()
                                    .get()
                                    .map(estimate -> now(estimate, name))
                                    .orElse(""),
                            model.estimateProperty()));
            row = add(grid, row, "est.field." + name, field, fault(field, "est.field.fault", RunFields::valid));
        }
        for (var choice : RunFields.CHOICES.entrySet()) {
            row = add(grid, row, "est.field." + choice.getKey(), choice(choice.getKey(), choice.getValue()));
        }
        TextField capacity = new TextField();
        capacity.setId("est-capacity");
        capacity.textProperty().bindBidirectional(model.capacityProperty());
        capacity.promptTextProperty().bind(TEXTS.bind("est.capacity.prompt"));
        capacity.setTooltip(new Tooltip());
        capacity.getTooltip().textProperty().bind(TEXTS.bind("est.capacity.tip"));
        Node fault = fault(
                capacity, "est.capacity.fault", any -> model.capacityBytes().isPresent());
        add(grid, row, "est.capacity", capacity, fault);
        return grid;
    }

    private static Node fault(TextField field, String key, Predicate<String> valid) {
        return new FieldFault(
                field,
                Bindings.createStringBinding(
                        () -> valid.test(field.getText()) ? "" : TEXTS.get(key),
                        field.textProperty(),
                        Texts.wordingProperty()));
    }

    private Region choice(String name, List<String> words) {
        ComboBox<String> box = new ComboBox<>();
        box.setId("est-" + name);
        box.getItems().setAll(words);
        box.setMaxWidth(Double.MAX_VALUE);
        ChoiceText.name(
                box, word -> TEXTS.bind(word.isEmpty() ? "est.choice.input" : "est.choice." + name + "." + word));
        box.valueProperty().bindBidirectional(model.fields().value(name));
        return box;
    }

    private static int add(GridPane grid, int row, String title, Region field, Node... below) {
        Label label = Labels.of(TEXTS.bind(title));
        label.setLabelFor(field);
        field.accessibleTextProperty().bind(TEXTS.bind(title));
        label.setMinWidth(Region.USE_PREF_SIZE);
        VBox box = new VBox(4, field);
        box.getChildren().addAll(below);
        GridPane.setHgrow(box, Priority.ALWAYS);
        // The name stays beside the field, whatever stands below that.
        label.minHeightProperty().bind(field.heightProperty());
        GridPane.setValignment(label, VPos.TOP);
        grid.addRow(row, label, box);
        return row + 1;
    }

    private static String now(Estimate estimate, String name) {
        Layout layout = estimate.configuration().layout();
        Training training = estimate.configuration().training();
        int value = switch (name) {
            case "tp" -> layout.tensor();
            case "pp" -> layout.pipeline();
            case "vpp" -> layout.virtual();
            case "cp" -> layout.context();
            case "ep" -> layout.expert();
            case "dp" -> layout.data();
            case "micro" -> training.microBatch();
            case "global" -> training.microBatches() * training.microBatch() * layout.data();
            default -> training.sequence();
        };
        return Integer.toString(value);
    }

    private static Button button(String key, String icon, Runnable action) {
        Button button = new Button(null, new FontIcon(icon));
        button.setId("est-" + key);
        button.textProperty().bind(TEXTS.bind(key));
        button.setMinWidth(Region.USE_PREF_SIZE);
        button.setOnAction(e -> action.run());
        return button;
    }

    static void showWhile(Node node, BooleanBinding condition) {
        node.getProperties().put(BooleanBinding.class, condition);
        node.visibleProperty().bind(condition);
        node.managedProperty().bind(condition);
    }
}
