package dev.lacuna.ui.places.processes;

import atlantafx.base.theme.Styles;
import dev.lacuna.bridge.FoundProcess;
import dev.lacuna.bridge.FoundProcess.UsedDevice;
import dev.lacuna.bridge.Framework;
import dev.lacuna.bridge.Obstacle;
import dev.lacuna.core.diagnosis.report.Table;
import dev.lacuna.ui.parts.CommandLabel;
import dev.lacuna.ui.parts.Copies;
import dev.lacuna.ui.parts.Copying;
import dev.lacuna.ui.parts.Sheet;
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
        CommandLabel command = Labels.inAnyScript(new CommandLabel("strong", "mono", "process-command"));
        command.show(process.command());
        command.setMinWidth(0);
        Label detail = new Label(detail(process));
        detail.getStyleClass().add("muted");
        detail.setMinWidth(0);
        VBox who = new VBox(command, detail);
        who.getStyleClass().add("process-who");
        who.setMinWidth(0);
        process.obstacle().ifPresent(obstacle -> who.getChildren().add(hint(obstacle)));
        Copies.installOn(this, () -> table(process));
        HBox.setHgrow(who, Priority.ALWAYS);
        getStyleClass().addAll("card", "process-card", "unprepared-card");
        setAlignment(Pos.CENTER_LEFT);
        setMinWidth(0);
        getChildren().addAll(icon, who);
        held(process).ifPresent(getChildren()::add);
        if (process.obstacle().isEmpty()) {
            getChildren().add(attach(process, model));
        }
    }

    private static Table table(FoundProcess process) {
        Sheet sheet = Sheet.of("pid", "command", "about", "hint");
        sheet.row(List.of(
                process.pid(),
                process.command(),
                detail(process),
                process.obstacle()
                        .map(obstacle -> obstacle.text(Texts.locale()))
                        .orElse("")));
        return sheet.table();
    }

    /** What is missing, and beside it what takes the sentence along: what mends it stands at its end. */
    private static HBox hint(Obstacle obstacle) {
        Label hint = new Label(obstacle.text(Texts.locale()));
        hint.getStyleClass().addAll("muted", "small");
        hint.setWrapText(true);
        hint.setMinHeight(Region.USE_PREF_SIZE);
        HBox.setHgrow(hint, Priority.SOMETIMES);
        HBox row = new HBox(4, hint, copy(obstacle));
        row.setAlignment(Pos.CENTER_LEFT);
        return row;
    }

    private static Button attach(FoundProcess process, UnpreparedModel model) {
        Button attach = new Button(TEXTS.get("unprepared.attach"));
        attach.setId("attach-" + process.pid());
        if (process.childOf().isEmpty()) {
            attach.getStyleClass().add(Styles.ACCENT);
        }
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

    private static Button copy(Obstacle obstacle) {
        Button copy = new Button(null, new FontIcon("fth-copy"));
        copy.getStyleClass().addAll(Styles.BUTTON_ICON, Styles.FLAT, Styles.SMALL);
        copy.setAccessibleText(TEXTS.get("unprepared.copy"));
        copy.setTooltip(new Tooltip(TEXTS.get("unprepared.copy")));
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
        process.childOf().ifPresent(parent -> facts.add(TEXTS.get("unprepared.child", Long.toString(parent))));
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
