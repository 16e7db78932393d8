package dev.lacuna.ui.snapshot.place;

import dev.lacuna.core.history.DeviceHistory;
import dev.lacuna.core.history.Recording;
import dev.lacuna.ui.shell.Labels;
import dev.lacuna.ui.snapshot.SnapshotViewModel;
import dev.lacuna.ui.snapshot.SnapshotViewModel.State;
import dev.lacuna.ui.text.Texts;
import java.io.File;
import java.util.List;
import java.util.Optional;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanBinding;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.util.StringConverter;
import org.kordamp.ikonli.javafx.FontIcon;

/** What is open, which device of it, and what can be done with the whole. */
final class SnapshotHeader extends HBox {
    private static final Texts TEXTS = Texts.of("snapshot");

    private final SnapshotViewModel model;

    SnapshotHeader(SnapshotViewModel model, List<Node> others, RecordingActions actions, Runnable choose) {
        this.model = model;
        BooleanBinding shown = model.stateProperty().isEqualTo(State.SHOWN);
        getStyleClass().add("place-header");
        setAlignment(Pos.CENTER_LEFT);
        Label name = Labels.of(TEXTS.bind("title"), "place-title");
        name.setMinWidth(Region.USE_PREF_SIZE);
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        getChildren().addAll(name, source(), truncated(), space, devices());
        Button whatIf = button(
                "snapshot-whatif",
                "whatif",
                "fth-git-branch",
                () -> model.recordingProperty().get().ifPresent(recording -> actions.whatIf(recording, model.wholePath())));
        whatIf.visibleProperty().bind(shown);
        getChildren().add(collapsing(whatIf));
        for (Node other : others) {
            other.visibleProperty().bind(shown);
            getChildren().add(collapsing(other));
        }
        Button open = button("snapshot-open", "open", "fth-folder", choose);
        open.visibleProperty().bind(model.stateProperty().isNotEqualTo(State.EMPTY));
        getChildren().add(collapsing(open));
    }

    private static Node collapsing(Node node) {
        node.managedProperty().bind(node.visibleProperty());
        return node;
    }

    private static Button button(String id, String key, String icon, Runnable action) {
        Button button = new Button(null, new FontIcon(icon));
        button.setId(id);
        button.textProperty().bind(TEXTS.bind(key));
        button.setMinWidth(Region.USE_PREF_SIZE);
        button.setOnAction(e -> action.run());
        return button;
    }

    /** The name of the file; its folder is told by the tooltip. */
    private Label source() {
        Label label = Labels.inAnyScript(Labels.of(
                Bindings.createStringBinding(
                        () -> model.stateProperty().get() == State.EMPTY
                                ? TEXTS.get("subtitle")
                                : new File(model.sourceProperty().get()).getName(),
                        model.stateProperty(),
                        model.sourceProperty(),
                        Texts.languageProperty()),
                "muted"));
        label.setId("snapshot-source");
        Tooltip whole = new Tooltip();
        whole.textProperty().bind(model.sourceProperty());
        label.setTooltip(whole);
        return label;
    }

    private Node truncated() {
        Label chip = Labels.of(TEXTS.bind("truncated"), "chip", "truncated-chip");
        chip.setId("snapshot-truncated");
        chip.setGraphic(new FontIcon("fth-scissors"));
        chip.setMinWidth(Region.USE_PREF_SIZE);
        Tooltip why = new Tooltip();
        why.textProperty().bind(TEXTS.bind("truncated.why"));
        chip.setTooltip(why);
        chip.visibleProperty()
                .bind(Bindings.createBooleanBinding(
                        () -> model.recordingProperty()
                                .get()
                                .map(Recording::truncated)
                                .orElse(false),
                        model.recordingProperty()));
        return collapsing(chip);
    }

    private Node devices() {
        ComboBox<DeviceHistory> box = new ComboBox<>();
        box.setId("snapshot-device");
        // The button shows its words anew only with another value.
        Texts.languageProperty().addListener((property, before, now) -> {
            box.setValue(null);
            model.deviceProperty().get().ifPresent(box::setValue);
        });
        box.setConverter(new DeviceWords());
        model.recordingProperty()
                .addListener((property, before, now) ->
                        box.getItems().setAll(now.map(Recording::devices).orElse(List.of())));
        model.deviceProperty().addListener((property, before, now) -> now.ifPresent(box::setValue));
        box.valueProperty()
                .addListener((property, before, now) -> Optional.ofNullable(now).ifPresent(model::choose));
        box.visibleProperty()
                .bind(Bindings.size(box.getItems())
                        .greaterThan(1)
                        .and(model.stateProperty().isEqualTo(State.SHOWN)));
        return collapsing(box);
    }

    private static final class DeviceWords extends StringConverter<DeviceHistory> {
        @Override
        public String toString(DeviceHistory device) {
            if (device == null) {
                return "";
            }
            return device.device() == DeviceHistory.HOST
                    ? TEXTS.get("device.host", device.size())
                    : TEXTS.get("device", Integer.toString(device.device()), device.size());
        }

        @Override
        public DeviceHistory fromString(String text) {
            throw new UnsupportedOperationException("devices are chosen, not typed");
        }
    }
}
