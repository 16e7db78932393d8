package dev.lacuna.ui.places.live;

import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.ui.parts.CommandLabel;
import dev.lacuna.ui.parts.DeviceChoice;
import dev.lacuna.ui.parts.FullText;
import dev.lacuna.ui.session.ConnectionState;
import dev.lacuna.ui.session.ConnectionText;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.DeviceText;
import dev.lacuna.ui.text.Texts;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javafx.beans.binding.Bindings;
import javafx.css.PseudoClass;
import javafx.geometry.Pos;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.shape.Circle;

/** Who is shown, how it goes, how fresh it is, and whether it may be changed. */
final class LiveHeader extends HBox {
    private static final Texts TEXTS = Texts.of("live");
    private static final PseudoClass LIVE = PseudoClass.getPseudoClass("live");
    private static final PseudoClass TROUBLE = PseudoClass.getPseudoClass("trouble");
    private static final PseudoClass ALLOWED = PseudoClass.getPseudoClass("allowed");

    private final LiveViewModel model;
    private final CommandLabel command = new CommandLabel("place-title");
    private final Label facts = new Label();
    private final Label lost = new Label();
    private final Label state = new Label();
    private final HBox statePill = new HBox(new Circle(4), state);
    private final DeviceChoice device;
    private final MenuButton control = new MenuButton();
    private final RecordButton recording;

    LiveHeader(LiveViewModel model, RecordButton recording) {
        this.model = model;
        this.recording = recording;
        device = new DeviceChoice(model.deviceProperty());
        facts.getStyleClass().addAll("muted", "facts");
        facts.setMinWidth(0);
        FullText.of(facts);
        lost.getStyleClass().addAll("pill", "lost");
        lost.setTooltip(new Tooltip());
        statePill.getStyleClass().addAll("pill", "state-pill");
        statePill.setAlignment(Pos.CENTER_LEFT);
        control.getStyleClass().add("pill");
        control.setId("live-control");
        MenuItem toggle = new MenuItem();
        toggle.disableProperty()
                .bind(Bindings.createBooleanBinding(
                        () -> !model.canToggleControl(), model.connectionProperty(), model.controlAllowedProperty()));
        toggle.setOnAction(e -> model.toggleControl());
        MenuItem detach = new MenuItem();
        detach.textProperty().bind(TEXTS.bind("header.detach"));
        detach.setOnAction(e -> model.detach());
        control.getItems().addAll(toggle, detach);
        control.setOnShowing(e -> toggle.setText(
                TEXTS.get(model.controlAllowedProperty().get() ? "header.control.giveup" : "header.control.ask")));
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        getStyleClass().add("place-header");
        setAlignment(Pos.CENTER_LEFT);
        getChildren().addAll(command, facts, space, lost, recording, device, statePill, control);
        for (Region pill : List.of(lost, recording, device, statePill, control)) {
            pill.setMinWidth(USE_PREF_SIZE);
        }
    }

    /** Shows what the model says now. */
    void refresh() {
        Optional<TrainingProcess> process = model.processProperty().get();
        command.showName(process.map(TrainingProcess::command).orElse(""));
        facts.setText(process.map(this::facts).orElse(""));
        showState(model.connectionProperty().get());
        recording.refresh();
        device.offer(model.devices());
        long events = model.lostEvents();
        lost.setVisible(events > 0);
        lost.setManaged(events > 0);
        lost.setText(TEXTS.get("header.lost", events));
        lost.getTooltip().setText(TEXTS.get("header.lost.why"));
        boolean allowed = model.controlAllowedProperty().get() && !hasEnded();
        control.setText(TEXTS.get(allowed ? "header.control" : "header.readonly"));
        control.pseudoClassStateChanged(ALLOWED, allowed);
    }

    /** What has ended or cannot be read is not controlled, whatever was allowed. */
    private boolean hasEnded() {
        return switch (model.connectionProperty().get().kind()) {
            case NONE, GONE, FAILED -> true;
            case LIVE, STALE, STOPPED -> false;
        };
    }

    private String facts(TrainingProcess process) {
        Optional<MemoryCounters> now = model.shown().map(LiveMoment::counters);
        StringBuilder text =
                new StringBuilder(TEXTS.get("header.pid", process.id().toString()));
        now.ifPresent(c -> {
            text.append(" · ").append(TEXTS.get("header.device", DeviceText.of(c.name()), ByteText.of(c.totalBytes())));
            if (c.step() > 0) {
                text.append(" · ").append(TEXTS.get("header.step", c.step()));
            }
        });
        model.stepsPerSecond()
                .ifPresent(rate -> text.append(" · ")
                        .append(TEXTS.get(
                                "header.rate", String.format(Locale.ROOT, rate < 10 ? "%.1f" : "%.0f", rate))));
        return text.toString();
    }

    private void showState(ConnectionState connection) {
        boolean live = connection.kind() == ConnectionState.Kind.LIVE;
        Optional<Long> age = model.ageMs();
        state.setText(
                live && age.isPresent()
                        ? TEXTS.get(
                                "header.live", String.format(Locale.ROOT, "%.1f", Math.max(100, age.get()) / 1000.0))
                        : connection.kind() == ConnectionState.Kind.FAILED
                                ? TEXTS.get("header.failed")
                                : ConnectionText.of(connection));
        statePill.pseudoClassStateChanged(LIVE, live);
        statePill.pseudoClassStateChanged(TROUBLE, !live);
    }
}
