package dev.lacuna.ui.places.processes;

import atlantafx.base.theme.Styles;
import dev.lacuna.bridge.DeviceSummary;
import dev.lacuna.bridge.Ending;
import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.ui.parts.CommandLabel;
import dev.lacuna.ui.parts.FullText;
import dev.lacuna.ui.text.AgeText;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.DeviceText;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import java.util.List;
import javafx.beans.InvalidationListener;
import javafx.beans.WeakInvalidationListener;
import javafx.geometry.Pos;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ListCell;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.javafx.FontIcon;

/** One process as a card: who it is, how much it holds, what can be done. */
final class ProcessCell extends ListCell<ProcessRow> {
    static final double HEIGHT = 84;

    /** With a line on how it ended. */
    static final double ENDED_HEIGHT = 98;

    private static final double LEAST_WHO = 130;
    private static final double CONTROL_WIDTH = 160;
    private static final double ACTION_WIDTH = 128;
    private static final Texts TEXTS = Texts.of("processes");

    private final ProcessesViewModel model;
    private final HBox card;
    private final FontIcon icon = new FontIcon("fth-cpu");
    private final CommandLabel command = Labels.inAnyScript(new CommandLabel("strong", "mono", "process-command"));
    private final Label detail = new Label();
    private final Label ending = muted();
    private final ProcessUsage usage = new ProcessUsage();
    private final Label control = new Label();
    private final Tooltip controlWhy = new Tooltip();
    private final Button diagnose = new Button(null, new FontIcon("fth-alert-triangle"));
    private final Button action = new Button();
    /** Held here because the properties hold it weakly: they outlive the cell. */
    private final InvalidationListener refresh = any -> render();

    ProcessCell(ProcessesViewModel model) {
        this.model = model;
        getStyleClass().add("process-cell");
        command.setFocusTraversable(false);
        detail.getStyleClass().add("muted");
        FullText.onHover(detail, ending);
        VBox who = new VBox(command, detail, ending);
        who.getStyleClass().add("process-who");
        who.setAlignment(Pos.CENTER_LEFT);
        // The bars give way before the name of the script does.
        who.setMinWidth(LEAST_WHO);
        HBox.setHgrow(who, Priority.ALWAYS);
        control.getStyleClass().addAll("chip", "small");
        control.setMinWidth(Region.USE_PREF_SIZE);
        control.setTooltip(controlWhy);
        diagnose.textProperty().bind(TEXTS.bind("diagnose"));
        diagnose.setTooltip(controlWhy);
        diagnose.getStyleClass().add("diagnose-oom");
        diagnose.setFocusTraversable(false);
        diagnose.setOnAction(e -> model.diagnose(getItem()));
        HBox controlSlot = slot(CONTROL_WIDTH, control, diagnose);
        action.setMaxWidth(Double.MAX_VALUE);
        HBox.setHgrow(action, Priority.ALWAYS);
        HBox actionSlot = slot(ACTION_WIDTH, action);
        action.setFocusTraversable(false);
        card = new HBox(icon, who, usage, controlSlot, actionSlot);
        card.getStyleClass().addAll("card", "process-card");
        card.setAlignment(Pos.CENTER_LEFT);
        // The text of a long command must be cut, not push the list wider than the window.
        card.setMinWidth(0);
        setPrefWidth(0);
        action.setOnAction(e -> model.attach(getItem()));
        setOnMouseClicked(e -> {
            if (e.getClickCount() == 2 && !isEmpty()) {
                model.attach(getItem());
            }
        });
        Texts.wordingProperty().addListener(new WeakInvalidationListener(refresh));
        model.session().attachedProperty().addListener(new WeakInvalidationListener(refresh));
    }

    @Override
    protected void updateItem(ProcessRow row, boolean empty) {
        super.updateItem(row, empty);
        setGraphic(empty || row == null ? null : card);
        render();
    }

    private void render() {
        ProcessRow row = getItem();
        if (row == null || isEmpty()) {
            return;
        }
        TrainingProcess process = row.process();
        boolean gone = process.state() == ProcessState.GONE;
        icon.setIconLiteral(
                gone ? "fth-archive" : process.state() == ProcessState.STOPPED ? "fth-pause-circle" : "fth-cpu");
        command.show(process.command());
        detail.setText(detail(row));
        ending.setText(row.ending().map(how -> how.text(Texts.locale())).orElse(""));
        setShown(ending, gone && row.ending().isPresent());
        usage.show(row, gone);
        boolean oom = gone && row.lastOutOfMemory().isPresent();
        setShown(diagnose, oom);
        setShown(control, !oom);
        if (gone) {
            renderBlackBox(row);
        } else {
            renderLiving(row);
        }
    }

    private void renderLiving(ProcessRow row) {
        boolean attached = model.isAttached(row);
        boolean controllable = row.process().control();
        control.setText(TEXTS.get(controllable ? "control.yes" : "control.no"));
        control.setGraphic(new FontIcon(controllable ? "fth-sliders" : "fth-eye"));
        controlWhy.setText(TEXTS.get(controllable ? "control.yes.why" : "control.no.why"));
        action.setText(TEXTS.get(attached ? "attached" : "attach"));
        setStyleClass(action, Styles.ACCENT, !attached && row.childOf().isEmpty());
        setStyleClass(card, "attached", attached);
    }

    private void renderBlackBox(ProcessRow row) {
        control.setText(TEXTS.get("oom.none"));
        control.setGraphic(new FontIcon(isKnownToBeQuiet(row) ? "fth-check" : "fth-help-circle"));
        controlWhy.setText(row.lastOutOfMemory().orElseGet(() -> TEXTS.get("oom.none")));
        controlWhy.setWrapText(true);
        controlWhy.setMaxWidth(640);
        action.setText(TEXTS.get("look"));
        setStyleClass(action, Styles.ACCENT, false);
        setStyleClass(card, "attached", model.isAttached(row));
    }

    /** A process that a signal ended or that was killed had no time to record anything. */
    private static boolean isKnownToBeQuiet(ProcessRow row) {
        return row.ending().filter(Ending::isTold).isPresent();
    }

    private static String detail(ProcessRow row) {
        TrainingProcess process = row.process();
        String id = process.id().toString();
        String devices = devices(process.devices());
        return row.childOf().isPresent()
                ? TEXTS.get("detail.child", id, Long.toString(row.childOf().getAsLong()), devices, age(row))
                : TEXTS.get("detail", id, devices, age(row));
    }

    private static String age(ProcessRow row) {
        return switch (row.process().state()) {
            case RUNNING -> TEXTS.get("age.running", AgeText.of(row.age()));
            case STOPPED -> TEXTS.get("state.stopped");
            case GONE -> TEXTS.get("age.ended", AgeText.of(row.age()));
        };
    }

    private static String devices(List<DeviceSummary> devices) {
        String total = ByteText.of(
                devices.stream().mapToLong(DeviceSummary::totalBytes).sum());
        return devices.size() == 1
                ? TEXTS.get("devices.one", DeviceText.of(devices.get(0).name()), total)
                : TEXTS.get("devices.many", devices.size(), total);
    }

    /** Columns of one width in every row, whatever the words. */
    private static HBox slot(double width, Region... nodes) {
        HBox slot = new HBox(nodes);
        slot.setAlignment(Pos.CENTER_LEFT);
        slot.setMinWidth(width);
        slot.setPrefWidth(width);
        return slot;
    }

    static Label muted() {
        Label label = new Label();
        label.getStyleClass().addAll("muted", "small");
        return label;
    }

    private static void setShown(Region node, boolean shown) {
        node.setVisible(shown);
        node.setManaged(shown);
    }

    private static void setStyleClass(Region node, String styleClass, boolean on) {
        node.getStyleClass().removeAll(styleClass);
        if (on) {
            node.getStyleClass().add(styleClass);
        }
    }
}
