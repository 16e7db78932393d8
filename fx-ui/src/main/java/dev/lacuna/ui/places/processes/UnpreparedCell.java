package dev.lacuna.ui.places.processes;

import atlantafx.base.theme.Styles;
import dev.lacuna.bridge.FoundProcess;
import dev.lacuna.bridge.FoundProcess.UsedDevice;
import dev.lacuna.bridge.Framework;
import dev.lacuna.bridge.Obstacle;
import dev.lacuna.ui.parts.Copying;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import javafx.geometry.Pos;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.OverrunStyle;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.javafx.FontIcon;

/** One process that was not prepared: who it is, and a button that attaches, or what is missing for that. */
final class UnpreparedCell extends HBox {
    private static final Texts TEXTS = Texts.of("processes");

    UnpreparedCell(FoundProcess process, UnpreparedModel model) {
        FontIcon icon = new FontIcon(process.obstacle().isEmpty() ? "fth-link" : "fth-eye");
        Label command = Labels.inAnyScript(new Label(process.command()));
        command.getStyleClass().addAll("strong", "mono", "process-command");
        command.setTextOverrun(OverrunStyle.CENTER_ELLIPSIS);
        command.setMinWidth(0);
        Label detail = new Label(detail(process));
        detail.getStyleClass().add("muted");
        detail.setMinWidth(0);
        VBox who = new VBox(command, detail);
        who.getStyleClass().add("process-who");
        who.setMinWidth(0);
        process.obstacle().ifPresent(obstacle -> who.getChildren().add(hint(obstacle)));
        HBox.setHgrow(who, Priority.ALWAYS);
        getStyleClass().addAll("card", "process-card", "unprepared-card");
        setAlignment(Pos.CENTER_LEFT);
        setMinWidth(0);
        getChildren().addAll(icon, who);
        held(process).ifPresent(getChildren()::add);
        getChildren()
                .add(
                        process.obstacle().isEmpty()
                                ? attach(process, model)
                                : copy(process.obstacle().get()));
    }

    private static Label hint(Obstacle obstacle) {
        Label hint = new Label(obstacle.text(Texts.locale()));
        hint.getStyleClass().addAll("muted", "small");
        hint.setWrapText(true);
        hint.setMinHeight(Region.USE_PREF_SIZE);
        return hint;
    }

    private static Button attach(FoundProcess process, UnpreparedModel model) {
        Button attach = new Button(TEXTS.get("unprepared.attach"));
        attach.setId("attach-" + process.pid());
        attach.getStyleClass().add(Styles.ACCENT);
        attach.setMinWidth(Region.USE_PREF_SIZE);
        attach.setDisable(!model.canAttach(process));
        attach.setOnAction(e -> model.attach(process));
        model.pendingProperty()
                .get()
                .filter(pending -> pending.pid() == process.pid())
                .ifPresent(pending -> attach.setText(
                        pending.seconds() == 0
                                ? TEXTS.get("unprepared.attaching")
                                : TEXTS.get("unprepared.waiting", pending.seconds())));
        attach.setTooltip(new Tooltip(TEXTS.get("unprepared.waiting.why")));
        return attach;
    }

    /** What mends it stands at the end of the sentence. */
    private static Button copy(Obstacle obstacle) {
        Button copy = new Button(TEXTS.get("unprepared.copy"), new FontIcon("fth-copy"));
        copy.setMinWidth(Region.USE_PREF_SIZE);
        copy.setOnAction(e -> Copying.copy(obstacle.text(Texts.locale())));
        return copy;
    }

    private static Optional<Label> held(FoundProcess process) {
        long bytes = process.devices().stream()
                .map(UsedDevice::heldBytes)
                .filter(OptionalLong::isPresent)
                .mapToLong(OptionalLong::getAsLong)
                .sum();
        if (bytes == 0) {
            return Optional.empty();
        }
        Label held = new Label(TEXTS.get("unprepared.holds", ByteText.of(bytes)));
        held.getStyleClass().add("muted");
        held.setMinWidth(Region.USE_PREF_SIZE);
        return Optional.of(held);
    }

    private static String detail(FoundProcess process) {
        List<String> facts = new ArrayList<>();
        facts.add(TEXTS.get("unprepared.pid", Long.toString(process.pid())));
        process.frameworks().stream().map(Framework::toString).forEach(facts::add);
        process.python().ifPresent(version -> facts.add("Python " + version));
        process.devices()
                .forEach(device -> facts.add(device.kind()
                        + (device.index().isPresent() ? " " + device.index().getAsInt() : "")));
        process.job().rank().ifPresent(rank -> facts.add(TEXTS.get("unprepared.rank", rank)));
        process.job().launcher().ifPresent(facts::add);
        process.container().ifPresent(facts::add);
        facts.add(process.user());
        return String.join(" · ", facts);
    }
}
