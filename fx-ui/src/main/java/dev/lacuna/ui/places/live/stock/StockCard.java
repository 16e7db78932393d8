package dev.lacuna.ui.places.live.stock;

import dev.lacuna.bridge.StockControl.Facts;
import dev.lacuna.ui.parts.FileDialogs;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.IconButton;
import dev.lacuna.ui.window.Labels;
import dev.lacuna.ui.window.Overlay;
import java.util.Optional;
import java.util.function.IntSupplier;
import javafx.beans.binding.Bindings;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.TextField;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/** The framework's own allocator of a process that was not prepared; not there for others. */
public final class StockCard extends VBox {
    private static final Texts TEXTS = Texts.of("stock");

    private final StockModel model;
    private final Label framework = new Label();
    private final CategoriesBar categories = new CategoriesBar();
    private final Label settings = new Label();
    private final TextField change = new TextField();
    private final VBox changing;
    private final Button undo;
    private final Button empty;
    private final Button arm;
    private final Button takeOver;
    private final TakeOverQuestion question;

    /**
     * @param overlay where questions are asked
     * @param device number of the device that is looked at
     */
    public StockCard(StockModel model, Overlay overlay, IntSupplier device) {
        this.model = model;
        question = new TakeOverQuestion(model, overlay);
        getStyleClass().addAll("card", "stock-card");
        setId("live-stock");
        framework.getStyleClass().addAll("muted", "small");
        settings.getStyleClass().addAll("mono", "small");
        settings.setId("stock-settings");
        settings.setWrapText(true);
        settings.setMinHeight(Region.USE_PREF_SIZE);
        change.setId("stock-setting");
        change.promptTextProperty().bind(TEXTS.bind("setting.prompt"));
        change.setOnAction(e -> model.change(change.getText().strip()));
        undo = new IconButton(TEXTS.bind("setting.undo"), "fth-corner-up-left", model::undo).named("stock-undo");
        undo.disableProperty().bind(model.undoableProperty().not().or(model.busyProperty()));
        Button forecast = new IconButton(
                        TEXTS.bind("setting.forecast.ask"),
                        "fth-help-circle",
                        () -> model.forecast(change.getText().strip()))
                .named("stock-forecast");
        forecast.disableProperty().bind(model.busyProperty());
        // A setting is longer than what the buttons leave beside them.
        HBox ways = new HBox(forecast, undo);
        ways.getStyleClass().add("field-row");
        changing = new VBox(8, change, ways);
        empty = new IconButton(TEXTS.bind("empty"), "fth-wind", () -> model.emptyCache(device.getAsInt()))
                .named("stock-empty-cache");
        empty.disableProperty().bind(model.busyProperty());
        arm = new IconButton(
                        Bindings.createStringBinding(
                                () -> TEXTS.get(model.armedProperty().get() ? "arm.off" : "arm"),
                                model.armedProperty(),
                                Texts.wordingProperty()),
                        "fth-camera",
                        this::armOrNot)
                .named("stock-arm");
        arm.disableProperty().bind(model.busyProperty());
        Button out = new IconButton(TEXTS.bind("out"), "fth-log-out", model::takeOut).named("stock-out");
        takeOver = new IconButton(TEXTS.bind("takeover"), "fth-layers", () -> question.ask(model::takeOver))
                .named("stock-takeover");
        takeOver.disableProperty().bind(model.busyProperty());
        FlowPane buttons = new FlowPane(8, 8, takeOver, empty, arm, out);
        Label status = new Label();
        status.setId("stock-status");
        status.textProperty().bind(model.statusProperty());
        status.getStyleClass().addAll("muted", "small");
        status.setWrapText(true);
        status.setMinHeight(Region.USE_PREF_SIZE);
        VBox head = new VBox(Labels.titled(TEXTS.bind("title")), framework);
        getChildren().addAll(head, categories, settings, changing, buttons, status);
        model.factsProperty().addListener((property, before, now) -> show());
        model.settingsProperty().addListener((property, before, now) -> show());
        model.categoriesProperty().addListener((property, before, now) -> show());
        Texts.wordingProperty().addListener((property, before, now) -> show());
        show();
    }

    private void show() {
        Optional<Facts> facts = model.factsProperty().get();
        setShown(this, facts.isPresent());
        framework.setText(facts.map(Facts::framework).orElse(""));
        boolean hasSettings = model.can("settings");
        setShown(settings, hasSettings);
        setShown(changing, hasSettings);
        settings.setText(
                model.settingsProperty().get().isEmpty()
                        ? TEXTS.get("setting.none")
                        : model.settingsProperty().get());
        setShown(empty, model.can("empty-cache"));
        setShown(arm, model.can("arm"));
        setShown(takeOver, model.canTakeOver());
        setShown(categories, model.categoriesProperty().get().isPresent());
        model.categoriesProperty().get().ifPresent(categories::show);
    }

    private void armOrNot() {
        if (model.armedProperty().get()) {
            model.disarm();
            return;
        }
        FileDialogs.save(this, TEXTS.get("arm.choose"), "oom.pickle").ifPresent(target -> model.arm(target.toPath()));
    }

    private static void setShown(Region node, boolean shown) {
        node.setVisible(shown);
        node.setManaged(shown);
    }
}
