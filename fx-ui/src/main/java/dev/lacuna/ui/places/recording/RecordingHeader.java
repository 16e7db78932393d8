package dev.lacuna.ui.places.recording;

import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.Recording;
import dev.lacuna.ui.parts.Explanation;
import dev.lacuna.ui.places.recording.focus.RecordingViewModel;
import dev.lacuna.ui.places.recording.focus.RecordingViewModel.State;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.IconButton;
import dev.lacuna.ui.window.Labels;
import java.io.File;
import java.util.List;
import java.util.Optional;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanBinding;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.util.StringConverter;
import org.kordamp.ikonli.javafx.FontIcon;

/** What is open, which device of it, and what can be done with the whole. */
final class RecordingHeader extends HBox {
    private static final Texts TEXTS = Texts.of("snapshot");

    private final RecordingViewModel model;

    RecordingHeader(RecordingViewModel model, List<Node> others, RecordingActions actions, Runnable choose) {
        this.model = model;
        BooleanBinding shown = model.stateProperty().isEqualTo(State.SHOWN);
        getStyleClass().add("place-header");
        setAlignment(Pos.CENTER_LEFT);
        Label name = Labels.of(TEXTS.bind("title"), "place-title");
        name.setMinWidth(Region.USE_PREF_SIZE);
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        getChildren().addAll(name, source(), truncated(), part(), notices(), space, devices(), onlyRange());
        Button whatIf = button(
                "snapshot-whatif",
                "whatif",
                "fth-git-branch",
                () -> model.recordingProperty()
                        .get()
                        .ifPresent(recording -> model.deviceProperty()
                                .get()
                                .ifPresent(device -> actions.whatIf(recording, device, model.wholePath()))));
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
        return new IconButton(TEXTS.bind(key), icon, action).named(id);
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
                        Texts.wordingProperty()),
                "muted"));
        label.setId("snapshot-source");
        label.getStyleClass().add("may-shorten");
        return Explanation.of(label, model.sourceProperty());
    }

    private Node truncated() {
        Button chip = Explanation.behind(new Button(), TEXTS.bind("truncated.why"));
        chip.textProperty().bind(TEXTS.bind("truncated"));
        chip.setId("snapshot-truncated");
        chip.getStyleClass().addAll("chip", "truncated-chip");
        chip.setGraphic(new FontIcon("fth-scissors"));
        chip.setMinWidth(Region.USE_PREF_SIZE);
        chip.visibleProperty()
                .bind(Bindings.createBooleanBinding(
                        () -> model.recordingProperty()
                                .get()
                                .map(Recording::truncated)
                                .orElse(false),
                        model.recordingProperty()));
        return collapsing(chip);
    }

    /** Tells that only a part is open; a click opens all of it. */
    private Node part() {
        Button chip = button("snapshot-all", "part", "fth-maximize-2", model::openAll);
        chip.getStyleClass().addAll("chip", "part-chip");
        chip.setTooltip(Explanation.hover(TEXTS.bind("part.why")));
        chip.visibleProperty()
                .bind(Bindings.createBooleanBinding(
                        () -> model.recordingProperty().get().isPresent()
                                && model.part().isPresent(),
                        model.recordingProperty()));
        return collapsing(chip);
    }

    /** How many things a reader of the figures should know; they are told when it is pressed, and under the pointer. */
    private Node notices() {
        StringProperty all = new SimpleStringProperty("");
        Button chip = Explanation.behind(new Button(), all);
        chip.setId("snapshot-notices");
        chip.getStyleClass().add("chip");
        chip.setGraphic(new FontIcon("fth-info"));
        chip.setMinWidth(Region.USE_PREF_SIZE);
        Runnable tell = () -> {
            List<String> texts = model.recordingProperty().get().map(Recording::notices).orElse(List.of()).stream()
                    .map(notice -> notice.text(Texts.locale()))
                    .toList();
            chip.setText(TEXTS.get("notices", texts.size()));
            all.set(String.join("\n", texts));
            chip.setVisible(!texts.isEmpty());
        };
        model.recordingProperty().addListener((property, before, now) -> tell.run());
        Texts.wordingProperty().addListener((property, before, now) -> tell.run());
        tell.run();
        return collapsing(chip);
    }

    /** Opens the selected stretch alone: what a file of gigabytes needs. */
    private Node onlyRange() {
        Button only = button("snapshot-only-range", "range.only", "fth-crop", model::openSelected);
        only.setTooltip(Explanation.hover(TEXTS.bind("range.only.why")));
        only.visibleProperty()
                .bind(Bindings.createBooleanBinding(
                        () -> model.focus().hasRange() && model.path().isPresent(),
                        model.focus().rangeProperty(),
                        model.recordingProperty()));
        return collapsing(only);
    }

    private Node devices() {
        ComboBox<DeviceHistory> box = new ComboBox<>();
        box.setId("snapshot-device");
        box.setMinWidth(Region.USE_PREF_SIZE);
        // The button shows its words anew only with another value.
        Texts.wordingProperty().addListener((property, before, now) -> {
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
