package dev.lacuna.ui.places.live.reclaim;

import dev.lacuna.bridge.Compaction;
import dev.lacuna.ui.parts.CommandName;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Confirmation;
import dev.lacuna.ui.window.IconButton;
import dev.lacuna.ui.window.Overlay;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/**
 * <em>Empty the cache</em> and <em>Compact</em>, and what came of it; not there without an agent. Where that one came while the process
 * ran, <em>Take Lacuna out</em> too.
 */
public final class ReclaimRow extends VBox {
    private static final Texts TEXTS = Texts.of("reclaim");

    private final ReclaimModel model;
    private final IntSupplier device;
    private final Confirmation confirmation;
    private final Confirmation askToTakeOut;
    private final Label outcome = new Label();

    /**
     * @param overlay where questions are asked
     * @param device number of the device that is looked at
     */
    public ReclaimRow(ReclaimModel model, Overlay overlay, IntSupplier device) {
        this.model = model;
        this.device = device;
        confirmation = new Confirmation(overlay, "compact", TEXTS, "compact.");
        askToTakeOut = new Confirmation(overlay, "leave", TEXTS, "leave.");
        Button empty = new IconButton(TEXTS.bind("empty"), "fth-wind", () -> model.emptyCache(device.getAsInt()))
                .named("live-empty-cache");
        Button compact = new IconButton(TEXTS.bind("compact"), "fth-minimize-2", this::ask).named("live-compact");
        Button leave = new IconButton(TEXTS.bind("leave"), "fth-log-out", this::askToTakeOut).named("live-take-out");
        leave.visibleProperty().bind(model.leavableProperty());
        leave.managedProperty().bind(model.leavableProperty());
        leave.disableProperty().bind(model.possibleBinding().not());
        empty.disableProperty().bind(model.possibleBinding().not());
        compact.disableProperty().bind(model.possibleBinding().not());
        outcome.setId("live-reclaimed");
        outcome.getStyleClass().addAll("muted", "small");
        outcome.setWrapText(true);
        outcome.setMinHeight(Region.USE_PREF_SIZE);
        setSpacing(4);
        getChildren().addAll(new FlowPane(8, 8, empty, compact, leave), outcome);
        model.compactionProperty().addListener((property, before, now) -> show());
        model.statusProperty().addListener((property, before, now) -> show());
        Texts.wordingProperty().addListener((property, before, now) -> show());
        show();
    }

    /** Shows what holds now. */
    public void refresh() {
        model.refresh(device.getAsInt());
        show();
    }

    /** The optimisation has just been switched: whoever wants what is there to follow is asked now. */
    public void switched() {
        if (model.withSwitchProperty().get()) {
            ask();
        }
    }

    private void ask() {
        model.process()
                .ifPresent(process -> confirmation
                        .ask(
                                TEXTS.bind(
                                        "compact.process",
                                        CommandName.inQuestion(process.command()),
                                        process.id().toString()),
                                List.of("does", "costs"))
                        .thenAccept(yes -> {
                            if (yes) {
                                model.compact(device.getAsInt(), false);
                            }
                        }));
    }

    private void askToTakeOut() {
        model.process()
                .ifPresent(process -> askToTakeOut
                        .ask(
                                TEXTS.bind(
                                        "compact.process",
                                        CommandName.inQuestion(process.command()),
                                        process.id().toString()),
                                List.of("does", "stays"))
                        .thenAccept(yes -> {
                            if (yes) {
                                model.takeOut();
                            }
                        }));
    }

    private void show() {
        boolean there = model.process().isPresent();
        setVisible(there);
        setManaged(there);
        List<String> said = new ArrayList<>();
        Optional<Compaction> compaction = model.compactionProperty().get();
        compaction.ifPresent(now -> {
            said.add(now.text(Texts.locale()));
            said.addAll(model.stayed());
        });
        if (!model.statusProperty().get().isEmpty()) {
            said.add(model.statusProperty().get());
        }
        outcome.setText(String.join("\n", said));
        outcome.setVisible(!said.isEmpty());
        outcome.setManaged(!said.isEmpty());
    }
}
