package dev.lacuna.ui.places.swap;

import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.ui.parts.CommandLabel;
import dev.lacuna.ui.parts.DeviceChoice;
import dev.lacuna.ui.parts.FullText;
import dev.lacuna.ui.session.ConnectionState;
import dev.lacuna.ui.session.ConnectionText;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import java.util.Optional;
import javafx.css.PseudoClass;
import javafx.geometry.Pos;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.shape.Circle;

/** Which process and device is shown, how fresh it is, and whether it may be changed. */
final class SwapHeader extends HBox {
    private static final Texts TEXTS = SwapText.TEXTS;
    private static final PseudoClass LIVE = PseudoClass.getPseudoClass("live");
    private static final PseudoClass TROUBLE = PseudoClass.getPseudoClass("trouble");

    private final SwapViewModel model;
    private final CommandLabel command = new CommandLabel("place-title");
    private final Label facts = new Label();
    private final Label state = new Label();
    private final HBox statePill = new HBox(new Circle(4), state);
    private final DeviceChoice device;
    private final Button control = new Button();

    SwapHeader(SwapViewModel model) {
        this.model = model;
        device = new DeviceChoice(model.deviceProperty());
        facts.getStyleClass().addAll("muted", "facts");
        facts.setMinWidth(0);
        FullText.of(facts);
        statePill.getStyleClass().addAll("pill", "state-pill");
        statePill.setAlignment(Pos.CENTER_LEFT);
        statePill.setMinWidth(USE_PREF_SIZE);
        statePill.setMaxHeight(USE_PREF_SIZE);
        control.setId("swap-control");
        control.getStyleClass().add("pill");
        control.setMinWidth(USE_PREF_SIZE);
        control.setOnAction(e -> model.toggleControl());
        Tooltip what = new Tooltip();
        what.textProperty().bind(TEXTS.bind("header.control.what"));
        control.setTooltip(what);
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        getStyleClass().add("place-header");
        setAlignment(Pos.CENTER_LEFT);
        getChildren().addAll(command, facts, space, device, statePill, control);
    }

    /** Shows what the model says now. */
    void refresh() {
        Optional<TrainingProcess> process = model.processProperty().get();
        command.showName(process.map(TrainingProcess::command).orElse(""));
        facts.setText(process.map(this::facts).orElse(""));
        ConnectionState connection = model.connectionProperty().get();
        boolean live = connection.kind() == ConnectionState.Kind.LIVE;
        state.setText(ConnectionText.of(connection));
        statePill.pseudoClassStateChanged(LIVE, live);
        statePill.pseudoClassStateChanged(TROUBLE, !live);
        boolean allowed = model.controlAllowedProperty().get() && connection.reachable();
        control.setText(TEXTS.get(allowed ? "header.control" : "header.readonly"));
        control.setDisable(!connection.reachable());
        device.offer(model.devices());
    }

    private String facts(TrainingProcess process) {
        StringBuilder text =
                new StringBuilder(TEXTS.get("header.pid", process.id().toString()));
        Optional<MemoryCounters> now = model.counters();
        now.ifPresent(c -> {
            text.append(" · ")
                    .append(TEXTS.get(
                            "header.allocated", ByteText.of(c.allocatedBytes()), ByteText.of(c.limitBytes())));
            if (c.step() > 0) {
                text.append(" · ").append(TEXTS.get("header.step", c.step()));
            }
        });
        return text.toString();
    }
}
